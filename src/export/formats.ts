import type { ExportFormat } from './format.ts'
import { ALL_COLOR_FIELDS, ALL_TYPE_FIELDS } from './style-fields.ts'

/** Every format that is served, in the order in which lists show them. */
export const FORMATS: readonly ExportFormat[] = [
  {
    id: 'fonts',
    file: 'fonts.css',
    contentType: 'text/css; charset=utf-8',
    summary: 'an @font-face rule for each font; with --copy a folder with the fonts beside the sheet',
    isFolder: false,
    folderWith: 'copy',
    isAttachment: false,
    options: ['copy'],
    says: { colors: [], types: [] },
    load: async () => (await import('./fonts/fonts-css.ts')).fontsCss,
  },
  {
    id: 'json',
    file: 'styles.json',
    contentType: 'application/json',
    summary: 'colours and type styles with every authored value, as JSON',
    isFolder: false,
    isAttachment: false,
    options: [],
    says: { colors: ALL_COLOR_FIELDS, types: ALL_TYPE_FIELDS },
    load: async () => (await import('./tables/styles-json.ts')).stylesJson,
  },
  {
    id: 'gpl',
    file: 'palette.gpl',
    contentType: 'text/plain; charset=utf-8',
    summary: 'a palette for GIMP and Inkscape',
    isFolder: false,
    isAttachment: true,
    options: [],
    says: { colors: ['name', 'hex', 'rgb'], types: [] },
    load: async () => (await import('./palettes/gimp-palette.ts')).gimpPalette,
  },
]

/** The format that is served under the name of a file. */
export function formatOfFile(file: string): ExportFormat | undefined {
  return FORMATS.find(format => format.file === file)
}
