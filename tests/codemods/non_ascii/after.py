@mcp.contract("é")
def größe_von(größe: int, ctx: Context, *, ort: str = "Ωslo",  # 𝒳 größe
              ): return "ж"
