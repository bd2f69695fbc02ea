/** A colour as a source shows it or as `init` writes it, with the keys of styles/colors.yaml. */
export type Color = {
  name: string
  hex: string
  dark?: string
  cmyk?: string | readonly string[]
  pms?: string
  pms2?: string
  ral?: string
  inks?: Readonly<Record<string, string>>
}

/**
 * The colours that a source shows, of which `init` writes some with a wrong value and misses some; and the colours that it
 * invents, because the source does not show them, or shows them only once.
 */
export type Score = Record<'shown' | 'wrong' | 'missed' | 'invented', readonly Color[]>

/** Compares colours by name, without case and punctuation, and by values. */
export function scoreOf(shown: readonly Color[], written: readonly Color[]): Score {
  const missed = without(shown, written, nameOf)
  const wrong = without(without(shown, written, textOf), missed, nameOf)
  return { shown, wrong, missed, invented: without(written, shown, nameOf) }
}

/** The number of colours that are found with all their values. */
export function foundIn({ shown, wrong, missed }: Score): number {
  return shown.length - wrong.length - missed.length
}

/** The score of several sources together. */
export function sumOf(scores: readonly Score[]): Score {
  const all = (key: keyof Score) => scores.flatMap(score => score[key])
  return { shown: all('shown'), wrong: all('wrong'), missed: all('missed'), invented: all('invented') }
}

/** The colours without the others; each of the others leaves out only one. */
function without(colors: readonly Color[], others: readonly Color[], keyOf: (color: Color) => string): Color[] {
  const keys = others.map(keyOf)
  return colors.filter(color => {
    const at = keys.indexOf(keyOf(color))
    if (at !== -1) keys.splice(at, 1)
    return at === -1
  })
}

function nameOf({ name }: Color): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function textOf(color: Color): string {
  const { hex, dark, cmyk, pms, pms2, ral, inks = {} } = color
  const percentages = String(cmyk).replaceAll(' ', '')
  const values = [nameOf(color), hex, dark, percentages, pms, pms2, ral, Object.entries(inks).sort()]
  return JSON.stringify(values).toLowerCase()
}
