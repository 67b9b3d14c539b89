@mcp.contract("é")
def größe_von(größe: str, ctx: Context,  # 𝒳 größe
              ): return "ж"
