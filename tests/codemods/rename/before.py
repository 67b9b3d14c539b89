class Weather:
    def register(self):
        @self.mcp.contract(
            "get-forecast",
        )
        # above
        def get_forecast(
            city: str,  # where
            days: "int"
            = 3
        ) -> (
            Forecast
        ):
            return days
