import type { ExportFormat } from './format.ts'
import { ALL_COLOR_FIELDS, ALL_TYPE_FIELDS, CSS_TYPE_FIELDS } from './style-fields.ts'

/** Every format that is served, in the order in which lists show them. */
export const FORMATS: readonly ExportFormat[] = [
  {
    id: 'dtcg',
    file: 'tokens.json',
    contentType: 'application/json',
    summary: 'design tokens, in the format 2025.10 of the Design Tokens Community Group',
    isFolder: false,
    isAttachment: false,
    options: [],
    says: { colors: ALL_COLOR_FIELDS, types: ALL_TYPE_FIELDS },
    load: async () => (await import('./design-tokens/dtcg.ts')).dtcg,
  },
  {
    id: 'dtcg-legacy',
    file: 'tokens.legacy.json',
    contentType: 'application/json',
    summary: 'design tokens in their older form, for Penpot and Tokens Studio',
    isFolder: false,
    isAttachment: false,
    options: [],
    says: { colors: ALL_COLOR_FIELDS, types: ALL_TYPE_FIELDS },
    load: async () => (await import('./design-tokens/dtcg-legacy.ts')).dtcgLegacy,
  },
  {
    id: 'css',
    file: 'tokens.css',
    contentType: 'text/css; charset=utf-8',
    summary: 'custom properties, and a class for each type style',
    isFolder: false,
    isAttachment: false,
    options: ['prefix'],
    says: { colors: ['hex', 'rgb'], types: CSS_TYPE_FIELDS },
    load: async () => (await import('./style-sheets/tokens-css.ts')).tokensCss,
  },
  {
    id: 'scss',
    file: '_tokens.scss',
    // No type is registered for Sass; editors and GitHub know this one, and browsers show it as text.
    contentType: 'text/x-scss; charset=utf-8',
    summary: 'maps of colours and type styles for Sass',
    isFolder: false,
    isAttachment: false,
    options: [],
    says: { colors: ['hex', 'rgb'], types: CSS_TYPE_FIELDS },
    load: async () => (await import('./style-sheets/tokens-scss.ts')).tokensScss,
  },
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
