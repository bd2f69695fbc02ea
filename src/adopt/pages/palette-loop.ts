/** The path of the guide's own colours in a source, until links are resolved. */
export const PALETTE_PATH = '@palette'
export const PALETTE_LINK = `[Colours](/@site/${PALETTE_PATH})`

/** A link to the colours in place of a loop over a file of data that has them, such as `for each in site.data.colours`. */
export function paletteOf(loop: string, names: readonly string[] = []): string | undefined {
  const parts = loop.match(/[\w.-]+/g) ?? []
  return parts.some(part => names.includes(part.slice(part.lastIndexOf('.') + 1)))
    ? `\n\n${PALETTE_LINK}\n\n`
    : undefined
}
