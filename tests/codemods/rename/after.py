class Weather:
    def register(self):
        @self.mcp.contract(
            "get-forecast",
        )
        # above
        def get_forecast(
            place: str,  # where
            days: "int"
            = 5
        ) -> (
            Forecast
        ):
            return days
