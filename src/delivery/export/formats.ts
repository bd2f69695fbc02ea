import { COLOR_COLUMNS, PRINT_KEYS } from '#brand/color.ts'
import { ALL_TYPE_FIELDS, type CommandFormat, CSS_COLOR_FIELDS, CSS_TYPE_FIELDS, type ExportFormat } from './format.ts'

/** A format; most are one file with the styles of a brand, which a browser shows. */
type Row = Omit<ExportFormat, keyof typeof DEFAULTS> & Partial<typeof DEFAULTS>

const DEFAULTS: Pick<ExportFormat, 'isFolder' | 'isAttachment' | 'scopes' | 'options' | 'isAsWritten' | 'fields'> = {
  isFolder: false,
  isAttachment: false,
  isAsWritten: false,
  scopes: ['styles.read'],
  options: [],
  fields: { colors: COLOR_COLUMNS, types: ALL_TYPE_FIELDS },
}

const ROWS: readonly Row[] = [
  {
    id: 'dtcg',
    file: 'tokens.json',
    contentType: 'application/json',
    summary: 'design tokens in the Design Tokens Community Group format, 2025.10',
    load: async () => (await import('./dtcg.ts')).dtcg,
  },
  {
    id: 'dtcg-dark',
    file: 'tokens.dark.json',
    contentType: 'application/json',
    summary: 'design tokens of the colours with another value on dark grounds, to merge over tokens.json',
    fields: { colors: ['name', 'dark', 'use'], types: [] },
    load: async () => (await import('./dtcg.ts')).dtcgDark,
  },
  {
    id: 'dtcg-resolver',
    file: 'tokens.resolver.json',
    contentType: 'application/json',
    summary: 'design tokens for light and dark in one document of the Resolver Module, 2025.10',
    load: async () => (await import('./dtcg.ts')).dtcgResolver,
  },
  {
    id: 'dtcg-legacy',
    file: 'tokens.legacy.json',
    contentType: 'application/json',
    summary: 'design tokens in their older form, for Penpot and Tokens Studio',
    load: async () => (await import('./dtcg.ts')).dtcgLegacy,
  },
  {
    id: 'css',
    file: 'tokens.css',
    contentType: 'text/css; charset=utf-8',
    summary: 'custom properties, and a class for each type style',
    options: ['prefix'],
    fields: { colors: CSS_COLOR_FIELDS, types: CSS_TYPE_FIELDS },
    load: async () => (await import('./style-sheets/tokens-css.ts')).tokensCss,
  },
  {
    id: 'tailwind',
    file: 'theme.css',
    contentType: 'text/css; charset=utf-8',
    summary: 'a theme for Tailwind 4, with a utility for each type style',
    options: ['prefix'],
    fields: { colors: ['hex', 'rgb', 'dark'], types: CSS_TYPE_FIELDS },
    load: async () => (await import('./style-sheets/tailwind-theme.ts')).tailwindTheme,
  },
  {
    id: 'scss',
    file: '_tokens.scss',
    // Sass has no registered type; editors and GitHub know this one, and browsers show it as text.
    contentType: 'text/x-scss; charset=utf-8',
    summary: 'maps of colours and type styles for Sass',
    fields: { colors: CSS_COLOR_FIELDS, types: CSS_TYPE_FIELDS },
    load: async () => (await import('./style-sheets/tokens-scss.ts')).tokensScss,
  },
  {
    id: 'fonts',
    file: 'fonts.css',
    contentType: 'text/css; charset=utf-8',
    summary: 'an @font-face rule for each font; with --copy, also the fonts',
    folderWith: 'copy',
    scopes: ['files.read'],
    options: ['copy'],
    fields: { colors: [], types: [] },
    load: async () => (await import('./fonts/fonts-css.ts')).fontsCss,
  },
  {
    id: 'ase',
    file: 'palette.ase',
    contentType: 'application/octet-stream',
    summary: 'swatches for Illustrator, InDesign, Photoshop and Affinity: RGB, CMYK and spot colours',
    isAttachment: true,
    fields: { colors: ['name', 'hex', 'rgb', ...PRINT_KEYS.filter(key => key !== 'ral')], types: [] },
    load: async () => (await import('./palettes/swatch-exchange.ts')).swatchExchange,
  },
  {
    id: 'gpl',
    file: 'palette.gpl',
    contentType: 'text/plain; charset=utf-8',
    summary: 'a palette for GIMP and Inkscape',
    isAttachment: true,
    fields: { colors: ['name', 'hex', 'rgb'], types: [] },
    load: async () => (await import('./palettes/gimp-palette.ts')).gimpPalette,
  },
  {
    id: 'csv',
    file: 'colors.csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    summary: 'colours as a table, with every authored value',
    isAttachment: true,
    fields: { colors: COLOR_COLUMNS, types: [] },
    load: async () => (await import('./style-tables.ts')).colorsCsv,
  },
  {
    id: 'csv-types',
    file: 'types.csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    summary: 'type styles as a table, with every authored value',
    isAttachment: true,
    fields: { colors: [], types: ALL_TYPE_FIELDS },
    load: async () => (await import('./style-tables.ts')).typesCsv,
  },
  {
    id: 'json',
    file: 'styles.json',
    contentType: 'application/json',
    summary: 'colours and type styles with every authored value, as JSON',
    isAsWritten: true,
    load: async () => (await import('./style-tables.ts')).stylesJson,
  },
  {
    id: 'office',
    file: 'office.zip',
    contentType: 'application/zip',
    summary: 'theme colours and theme fonts for Microsoft Office',
    isFolder: true,
    isAttachment: true,
    fields: { colors: ['hex', 'rgb'], types: ['family'] },
    load: async () => (await import('./office-theme.ts')).officeTheme,
  },
  {
    id: 'design-md',
    file: 'DESIGN.md',
    contentType: 'text/markdown; charset=utf-8',
    summary: 'DESIGN.md: values and pages in one file for coding agents',
    scopes: ['document.read', 'styles.read'],
    load: async () => (await import('./agents/design-md.ts')).designMd,
  },
  {
    id: 'skill',
    file: 'skill.zip',
    contentType: 'application/zip',
    summary: 'an agent skill: SKILL.md, the pages as references, values and logo as assets',
    isFolder: true,
    isAttachment: true,
    scopes: ['document.read', 'styles.read', 'files.read'],
    load: async () => (await import('./agents/skill.ts')).skill,
  },
  {
    id: 'brand-json',
    file: 'brand.json',
    contentType: 'application/json',
    summary:
      'brand.json of the Ad Context Protocol 3.1: logos, colours, fonts and tone for programs that look for a brand',
    scopes: ['document.read', 'styles.read', 'files.read'],
    load: async () => (await import('./brands/brand-json.ts')).brandJson,
  },
  {
    id: 'brand-yml',
    file: '_brand.yml',
    contentType: 'application/yaml',
    summary: '_brand.yml for Quarto and Shiny; with --copy, also the logos and fonts',
    folderWith: 'copy',
    options: ['copy'],
    scopes: ['document.read', 'styles.read', 'files.read'],
    fields: { colors: ['hex', 'rgb'], types: ['family', 'size', 'weight', 'leading'] },
    load: async () => (await import('./brands/brand-yml.ts')).brandYml,
  },
]

export const FORMATS: readonly ExportFormat[] = ROWS.map(row => ({ ...DEFAULTS, ...row }))

/** The format with this file name, either its own or that of a piece. */
export function formatOfFile(file: string): ExportFormat | undefined {
  // `palette.gpl` for its piece `palette-2.gpl`.
  const wholeFile = file.replace(/-[1-9]\d{0,3}(?=\.[a-z]+$)/, '')
  return FORMATS.find(format => format.file === file) ?? FORMATS.find(format => format.file === wholeFile)
}

/** The formats that only the command makes, in the order of lists, after the served formats. */
export const COMMAND_FORMATS: readonly CommandFormat[] = [
  {
    id: 'site',
    file: 'site',
    contentType: 'text/html; charset=utf-8',
    summary: 'the whole guide as a folder for any web host, or to open directly in a browser',
    isFolder: true,
    options: ['private'],
  },
  {
    id: 'pdf',
    file: 'guide.pdf',
    contentType: 'application/pdf',
    summary: 'the whole guide as a printed book, made with the installed Chromium',
    isFolder: false,
    options: ['chromium', 'landscape'],
  },
]
