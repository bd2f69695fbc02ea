import { en, type Translation } from './en.ts'
import { formattersFor } from './formatters.ts'

const { count, number } = formattersFor('en-US')

/** English words in American spelling. */
export function enUs(): Translation {
  const english = en()
  return {
    ...english,
    sections: { ...english.sections, colors: 'Colors' },
    use: {
      ...english.use,
      palette: 'The colors for Adobe, GIMP, spreadsheets and the web',
      fonts: 'The fonts with their style sheet and licenses',
    },
    search: { ...english.search, hint: 'Words, a color value, or part of a file name', color: 'Color' },
    consent: {
      ...english.consent,
      scopeNames: { ...english.consent.scopeNames, 'styles.read': 'colors and type' },
    },
    specimen: { ...english.specimen, license: 'License' },
    colors: {
      ...english.colors,
      count: (colors: number) => count(colors, { one: '# color', other: '# colors' }),
      none: 'This guide has no colors.',
      others: 'Other colors',
      tryPair: 'Try two colors',
      contrast: 'Contrast between colors',
      contrastTable: 'Each cell shows text in its row’s color on its column’s color.',
      contrastOthers: 'Contrast with other colors',
      contrastOn: (color: string, hex: string) =>
        `Text in other colors on ${color}, ${hex}. The contrast is the same the other way round.`,
      contrastFirst: (shown: number) =>
        `The ${number(shown)} colors with the strongest contrast come first, then the ${number(shown)} most similar ones by Oklab distance. The other colors are on the following pages.`,
      contrastRest: 'These colors are not on the first page. The strongest contrast comes first.',
      nearest: 'Most similar colors',
    },
  }
}
