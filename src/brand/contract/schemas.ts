import type { FontMetadata } from '#formats/font/font-names.ts'
import type { ColorValues } from '../color.ts'
import type { ImageMetadata } from '../file.ts'
import { PROJECT_STATUSES, type ProjectStatus } from '../status.ts'
import { CASINGS, type TypeValues } from '../type-style.ts'
import { REFUSALS } from './refusals.ts'
import { date, list, number, numbers, object, ref, type Schema, text, uri } from './schema.ts'

/** The bodies of the seven 200 replies. `SCHEMAS` describes each field for the documentation. */
export type Bodies = {
  Workspace: { workspace: string; name: string }
  ProjectList: { workspace: string; projects: { id: string; name: string }[] }
  Project: {
    workspace: string
    project: string
    name: string
    status: ProjectStatus
    createdAt: string
    updatedAt: string
    url: string
    publishedAt: string
  }
  PageList: { workspace: string; project: string; pages: { id: string; name: string }[] }
  Page: { workspace: string; project: string; page: string; content: string }
  Styles: { workspace: string; project: string; colors: readonly ColorValues[]; types: readonly TypeValues[] }
  FileList: { workspace: string; project: string; files: FileEntry[] }
}

/** An entry of `files`. */
export type FileEntry = {
  filename: string
  /** bytes */
  size: number
  contentType: string
  url: string
  metadata?: FontMetadata | ImageMetadata
}

/** The service address in examples. */
export const EXAMPLE_URL = 'https://brand.example.com'

const SHORT_ID = { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }
const workspace = text('The id of the workspace.', 'acme', SHORT_ID)
const project = text('The id of the project, unique within its workspace.', 'guidelines', SHORT_ID)
const page = text('The id of the page, unique within its project: its url below the project url.', 'logo/misuse', {
  pattern: '^[^/]+(/[^/]+)*$',
  maxLength: 255,
})

/** The ids in operation paths, keyed by parameter name. */
export const PATH_IDS: Readonly<Record<string, Schema>> = { workspace, project, page }

/** Lists the names of the ids in an operation path, in order. */
export function idsIn(path: string): string[] {
  return Object.keys(PATH_IDS).filter(name => path.includes(`{${name}}`))
}

/** The schemas of replies, in the OpenAPI document and the docs. None forbids other fields: the API may add some. */
export const SCHEMAS = {
  Workspace: object<Bodies['Workspace']>('A workspace.', {
    workspace,
    name: text('The name of the workspace.', 'Acme'),
  }),
  ProjectList: object<Bodies['ProjectList']>(
    'The published projects of a workspace that the token may see, by name in natural order, then by id.',
    { workspace, projects: list('ProjectSummary', 'The projects.') },
  ),
  ProjectSummary: object<Bodies['ProjectList']['projects'][number]>('An entry of the project list.', {
    id: project,
    name: text('The name of the project. Projects may share a name.', 'Brand guidelines'),
  }),
  Project: object<Bodies['Project']>('A published project.', {
    workspace,
    project,
    name: text('The name of the project.', 'Brand guidelines'),
    status: text(
      '`Draft`: not published, which no reply says, because the API answers only about published projects. `Changed`: published, with unpublished changes. `UpToDate`: published, without unpublished changes. `Processing`: a copy from or to the project is in progress.',
      'UpToDate',
      { enum: PROJECT_STATUSES },
    ),
    createdAt: date('When the project was created.', '2026-03-02T09:30:00.000Z'),
    updatedAt: date('When its draft or its published content last changed.', '2026-11-12T14:05:21.480Z'),
    url: uri('The address of the published project on the website.', `${EXAMPLE_URL}/acme/guidelines`),
    publishedAt: date('When it was last published or rolled back.', '2026-11-12T14:05:21.480Z'),
  }),
  PageList: object<Bodies['PageList']>('The pages of a project.', {
    workspace,
    project,
    pages: list('PageSummary', 'The pages, in reading order.'),
  }),
  PageSummary: object<Bodies['PageList']['pages'][number]>('An entry of the page list.', {
    id: page,
    name: text('The name of the page. Pages may share a name.', 'Logo misuse'),
  }),
  Page: object<Bodies['Page']>('The content of a page.', {
    workspace,
    project,
    page,
    content: {
      type: 'string',
      description:
        'The content as Markdown (CommonMark and GFM) without its front matter. Relative links to pages and files of the project are absolute addresses.',
      contentMediaType: 'text/markdown',
    },
  }),
  Styles: object<Bodies['Styles']>('The styles of a project, in their written order.', {
    workspace,
    project,
    colors: list('Color', 'The colours.'),
    types: list('TypeStyle', 'The type styles.'),
  }),
  Color: object<ColorValues>(
    'A colour. Print values are present only if the brand gave them: none is computed, and an absent value is left out, never null.',
    {
      id: text('The id of the colour, unique among the colours of its project.', 'vermilion', { maxLength: 200 }),
      name: text('The name of the colour. Colours may share a name.', 'Vermilion'),
      rgb: numbers('Red, green and blue, whole numbers from 0 to 255, separated by commas.', 3, '\\d{1,3}', '204,58,6'),
      cmyk: numbers(
        'Cyan, magenta, yellow and black, from 0 to 100, separated by commas.',
        4,
        '\\d{1,3}(\\.\\d+)?',
        '0,85,100,10',
      ),
      hex: text('`#` and six hexadecimal digits in lower case.', '#cc3a06', { pattern: '^#[0-9a-f]{6}$' }),
      pms: text('A Pantone reference, as the brand wrote it.', '1665 C', { maxLength: 200 }),
      pms2: text('A second Pantone reference, as the brand wrote it.', '1665 U', { maxLength: 200 }),
      ral: { type: 'integer', description: 'A RAL Classic number.', minimum: 1000, maximum: 9999, examples: [2002] },
    },
    ['id', 'name', 'rgb', 'hex'],
  ),
  TypeStyle: object<TypeValues>(
    'A type style. Measures are numbers without a unit, present only if the brand gave them: an absent value is left out, never null.',
    {
      id: text('The id of the type style, unique among the type styles of its project.', 'heading-1', {
        maxLength: 200,
      }),
      name: text('The name of the type style. Styles may share a name.', 'Heading 1'),
      family: text('The font family: the `family` of fonts among the files.', 'IBM Plex Sans', { maxLength: 200 }),
      size: number('The size in CSS px.', 45),
      leading: number('The line height as a multiple of `size`, without a unit.', 1.1),
      tracking: number('The letter spacing in em: multiples of `size`.', -0.015),
      casing: text('The letter case: `none`, `uppercase`, `lowercase`, `capitalize` or `small-caps`.', 'none', {
        enum: CASINGS,
      }),
      spacing: number('The space after the paragraph in em: multiples of `size`.', 0.5),
      responsive: { type: 'boolean', description: 'Whether the size may follow the screen.', examples: [true] },
      features: {
        type: 'object',
        description: 'OpenType feature tags and their values; may be empty.',
        propertyNames: { pattern: '^[ -~]{4}$' },
        additionalProperties: { type: 'integer', minimum: 0 },
        examples: [{ frac: 1, liga: 0, zero: 1 }],
      },
    },
    ['id', 'name', 'casing', 'responsive', 'features'],
  ),
  FileList: object<Bodies['FileList']>('The files of a project.', {
    workspace,
    project,
    files: list('File', 'The files, by path.'),
  }),
  File: object<FileEntry>(
    'A file of a project.',
    {
      filename: text(
        'The name including its extension. Files in different folders may share it.',
        'IBMPlexSans-Regular-Latin1.woff2',
      ),
      size: { type: 'integer', description: 'The size in bytes.', minimum: 0, examples: [20984] },
      contentType: text('The MIME type.', 'font/woff2', { pattern: '^[^/ ]+/[^/ ]+$' }),
      url: uri(
        'The download address, which needs no token. It stays the same as long as the published revision, or an earlier served revision, has the file.',
        `${EXAMPLE_URL}/acme/guidelines/-/files/0JX_5S9fP62SoWrUZiUQduUcPFgIQdBl/IBMPlexSans-Regular-Latin1.woff2`,
      ),
      metadata: {
        description:
          'For fonts (`font/*`) and pictures (`image/*`): the metadata that could be read. What could not be read is left out.',
        anyOf: [ref('FontMetadata'), ref('ImageMetadata')],
      },
    },
    ['filename', 'size', 'contentType', 'url'],
  ),
  FontMetadata: object<FontMetadata>(
    'Font metadata: for files whose content type is `font/*`.',
    {
      family: text('Fonts: the typographic family.', 'IBM Plex Sans'),
      subFamily: text('Fonts: the typographic subfamily.', 'Regular'),
      weight: { type: 'number', description: 'Fonts: the weight.', minimum: 1, maximum: 1000, examples: [400] },
      style: text('Fonts: `normal`, `italic` or `oblique`.', 'normal', { enum: ['normal', 'italic', 'oblique'] }),
    },
    [],
  ),
  ImageMetadata: object<ImageMetadata>(
    'Picture metadata: for files whose content type is `image/*`.',
    {
      width: { type: 'number', description: 'Pictures: the width in pixels, as shown.', minimum: 0, examples: [1200] },
      height: { type: 'number', description: 'Pictures: the height in pixels, as shown.', minimum: 0, examples: [630] },
      description: text('Pictures: text for use as alt text.', 'Acme logo in dark blue'),
    },
    [],
  ),
  Error: object<{ error: string; error_description: string; error_uri: string }>(
    'The reason why a request failed.',
    {
      error: text(
        `The error code: ${[...new Set(Object.values(REFUSALS).map(({ error }) => `\`${error}\``))].join(', ')}.`,
        'not_found',
      ),
      error_description: text('The request, the problem and the fix, for people.', REFUSALS['not-found'].description),
      error_uri: uri('The address of the documentation of this code.', `${EXAMPLE_URL}/docs#not_found`),
    },
    ['error'],
  ),
} as const
