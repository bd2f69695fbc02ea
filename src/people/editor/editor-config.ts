import { THEME_FIELDS } from '#brand/appearance.ts'
import { PRINT_KEYS, PRINT_VALUES } from '#brand/color.ts'
import { EDITED_FILES, editorCollections, pagePath, type SourcePaths } from '#brand/edit-link.ts'
import type { FieldTable } from '#brand/fields.ts'
import { FILE_FIELDS } from '#brand/file.ts'
import type { Forge } from '#brand/forge.ts'
import type { FrontMatter } from '#intake/pages/front-matter.ts'
import { COLORS } from '#intake/schema/colors.ts'
import { FILES, FOLDERS_KEY } from '#intake/schema/files.ts'
import { number } from '#intake/schema/numbers.ts'
import { PROJECT_KEYS, WORKSPACE_KEYS } from '#intake/schema/project.ts'
import { type Schema, withDescription } from '#intake/schema/schema.ts'
import { TYPES } from '#intake/schema/types.ts'
import { DESCRIPTION, FLAG, HEX, NAME, PAGE_ID, SHORT_TEXT } from '#intake/schema/values.ts'
import type { ServedParts } from './edited-guide.ts'
import type { EditorField } from './formats/field.ts'

/** A project whose files the editor shows, and from a service its pages in the order of the guide, pictures and look. */
export type EditorProject = SourcePaths & {
  id: string
  name: string
  order?: readonly { id: string; name: string }[] | undefined
} & Partial<ServedParts>

/** Everything that the configuration depends on. */
export type EditorSource = {
  /** The id and the name of the workspace. */
  workspace: string
  name: string
  projects: readonly EditorProject[]
  /** The repository; absent if the editor works on a folder. */
  forge?: Forge | undefined
  /** Whether changes are proposed as pull requests. */
  isReviewed?: boolean | undefined
  /** How people sign in at the forge; absent: only with a token of theirs. */
  signin?: Readonly<Record<string, string | readonly string[]>> | undefined
}

/**
 * The configuration of the editor (Sveltia CMS, `config.yml`), its `guides`, and the `account` for signing in. Paths begin with the brand
 * folder of the repository.
 */
export function editorConfig(source: EditorSource) {
  const { forge, projects, isReviewed = false } = source
  const root = forge?.path ?? ''
  return {
    backend: backendOf(source),
    ...(isReviewed && { publish_mode: 'editorial_workflow' }),
    load_config_file: false,
    app_title: source.name,
    public_folder: 'files',
    editor: { preview: false },
    slug: { encoding: 'unicode', clean_accents: true },
    guides: guidesOf(projects, root),
    account: forge && `You need an account at ${new URL(forge.origin).host} that may write to ${forge.repo}.`,
    collections: [
      ...projects.flatMap(project => projectCollections(project, root, projects.length > 1)),
      workspaceCollection(root, projects[0]),
    ],
  }
}

/** A folder needs a repository's name, under which the browser remembers the folder. */
function backendOf({ workspace, forge, signin }: EditorSource): Readonly<Record<string, unknown>> {
  // Without the service's own sign-in, the library would ask another service.
  const methods = signin ?? { auth_methods: ['token'] }
  if (!forge) return { name: 'github', repo: `folder/${workspace}`, ...methods }
  const { name, origin, repo, branch } = forge
  const own = origin === `https://${name}.com` ? {} : { api_root: API_ROOTS[name](origin), base_url: origin }
  return { name, repo, branch, ...own, ...methods }
}

/** The addresses of the APIs of hosts that an organisation runs itself. GitHub's has REST at `/v3` and GraphQL at `/graphql`. */
export const API_ROOTS = {
  github: (origin: string) => `${origin}/api`,
  gitlab: (origin: string) => `${origin}/api/v4`,
  gitea: (origin: string) => `${origin}/api/v1`,
} as const

/**
 * For the pages of each guide: its name and look, their paths in its order, their names by id, which folders have, too,
 * its pictures, and the folder of new ones.
 */
function guidesOf(projects: readonly EditorProject[], root: string) {
  const guides = projects.map(project => {
    const { id, name, folder, look, order = [], pictures = [] } = project
    const paths = order.map(page => entryPath(project, page.id))
    const names = Object.fromEntries(order.map(page => [page.id, page.name]))
    return [
      editorCollections(id).pages,
      { project: id, name, look, paths, names, pictures, media: join(root, folder, 'files') },
    ]
  })
  return Object.fromEntries(guides)
}

/** The pages of a project, and its styles and settings. If there are several projects, pages are named for theirs. */
function projectCollections({ id, name, folder }: EditorProject, root: string, isOneOfSeveral: boolean) {
  const place = join(root, folder)
  const { lists, pages } = editorCollections(id)
  const files = keysOfLists().map(list => ({
    name: list.name,
    label: list.label,
    file: join(place, EDITED_FILES[list.name]),
    format: list.name,
    fields: [...list.fields(placesIn(place)), SOURCE],
  }))
  return [
    {
      name: pages,
      label: isOneOfSeveral ? name : 'Pages',
      label_singular: 'page',
      icon: 'article',
      folder: join(place, 'pages'),
      create: true,
      format: 'page',
      slug: '{{title}}',
      sortable_fields: [],
      nested: { depth: 100, subfolders: false },
      fields: [...pageFields(), SOURCE],
    },
    {
      name: lists,
      label: isOneOfSeveral ? `Styles and settings: ${name}` : 'Styles and settings',
      icon: 'palette',
      files,
      media_folder: `/${join(place, 'files')}`,
      public_folder: 'files',
    },
  ]
}

/** The path of a page without its folder and ending, by which the editor knows it. */
export function entryPath(project: EditorProject, id: string): string {
  return pagePath(project, id).replace(/^pages\/|\.md$/g, '')
}

/** The text of a page follows its title. */
function pageFields(): EditorField[] {
  const [title, ...others] = fieldsOf(PAGE_KEYS)
  return title ? [title, BODY, ...others] : [BODY]
}

/** The YAML files of a project in the order of the editor, with their fields. */
function keysOfLists() {
  const entries = (schema: Schema): EditorField[] => {
    const { properties = {}, ...rest } = schema.items ?? {}
    const summary = schema === COLORS ? COLOR_SUMMARY : ENTRY_LIST.summary
    return [listField('items', 'Entries', summary, fieldsOf(properties, rest))]
  }
  return [
    { name: 'colors', label: 'Colours', fields: () => entries(COLORS) },
    { name: 'types', label: 'Type styles', fields: () => entries(TYPES) },
    { name: 'files', label: 'Files', fields: fileLists },
    { name: 'project', label: 'Settings', fields: ({ project }: Places) => fieldsOf(PROJECT_KEYS, { files: project }) },
  ] as const
}

/** The places of files: in `project.yaml` from its folder, in `files.yaml` from `files/`. */
type Places = { project: FilePlaces; files: FilePlace }

function placesIn(folder: string): Places {
  const media_folder = `/${join(folder, 'files')}`
  const place = { media_folder, public_folder: 'files' }
  return {
    project: { ...filePlaces(THEME_FIELDS, place), socialImage: place },
    files: { media_folder, public_folder: '' },
  }
}

/** The files and folders of `files.yaml`, whose keys become the field `path`. */
function fileLists({ files }: Places): EditorField[] {
  const path = { name: 'path', label: 'Path', required: true, widget: 'string' }
  const folders = FILES.properties?.[FOLDERS_KEY]?.additionalProperties || {}
  const file = FILES.additionalProperties || {}
  const places = filePlaces(FILE_FIELDS, files)
  const hint =
    'The path of the file below files/ or pages/, a pattern, or a folder with / at its end. Examples: logo/acme.svg, logo/*.png, logo/white/'
  const hintOfFolder = 'The path of the folder below files/. Example: logo'
  return [
    listField('items', 'Files', '{{path}}', [{ ...path, hint }, ...fieldsOf(file.properties ?? {}, { files: places })]),
    listField(FOLDERS_KEY, 'Folders of the library', '{{path}}', [
      { ...path, hint: hintOfFolder },
      ...fieldsOf(folders.properties ?? {}),
    ]),
  ]
}

/** A list of a file. */
function listField(name: string, label: string, summary: string, fields: readonly EditorField[]): EditorField {
  return { name, label, widget: 'list', required: false, ...ENTRY_LIST, summary, fields: [...fields, PLACE_FIELD] }
}

/** The logo of a workspace is chosen from its first project. */
function workspaceCollection(root: string, project: EditorProject | undefined) {
  const files = join(project?.folder ?? '', 'files')
  const logo = { media_folder: `/${join(root, files)}`, public_folder: files }
  return {
    name: 'workspace_file',
    label: 'Workspace',
    icon: 'workspaces',
    files: [
      {
        name: 'workspace',
        label: 'Settings',
        file: join(root, 'workspace.yaml'),
        format: 'workspace',
        fields: [...fieldsOf(WORKSPACE_KEYS, { files: { logo } }), SOURCE],
      },
    ],
  }
}

/** The text of the file, from which the format writes only the changed lines. */
const SOURCE: EditorField = { name: 'source', label: 'Source', widget: 'hidden' }

/** The Markdown of a page, edited as text. */
const BODY: EditorField = {
  name: 'body',
  label: 'Text',
  widget: 'markdown',
  modes: ['raw'],
  buttons: [],
  editor_components: [],
  required: false,
}

function join(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('/')
}

/** The keys of the front matter of a page. A `cover` that is a mapping is kept. */
const PAGE_KEYS = {
  title: withDescription(
    NAME,
    'The name of the page. Default: the first heading, else the name of the file.',
    'Our logo',
  ),
  description: withDescription(DESCRIPTION, 'A description of the page in one or two sentences.'),
  order: withDescription(number({ max: 1_000_000 }), 'The place of the page in lists: lower numbers come first.', 10),
  nav: withDescription(SHORT_TEXT, 'A short name for the navigation.', 'Logo'),
  cover: withDescription(
    NAME,
    'The picture at the head of the page: the path of a picture or film, or the id of a colour.',
    '../files/images/bench.jpg',
  ),
  ground: withDescription(NAME, 'The id of the background colour of the title.', 'paper'),
  wide: withDescription(
    { ...FLAG, default: false },
    'Leaves out the list of headings, so that the page is as wide as its header.',
  ),
  id: withDescription(PAGE_ID, 'The id of the page in its address. Default: from the path of its file.', 'logo/misuse'),
  aliases: withDescription({ type: 'array', items: NAME }, 'Former ids of the page; their addresses redirect to it.', [
    'archive/2019/cover',
  ]),
} as const satisfies Record<Exclude<keyof FrontMatter, 'translated'>, Schema>

/** The fields of a form: one for each key of a mapping, in the order of its table, except that names come first. */
function fieldsOf(
  properties: Readonly<Record<string, Schema>>,
  { required = [], files = {} }: { required?: readonly string[]; files?: FilePlaces } = {},
): EditorField[] {
  const rankOf = (name: string) => RANKS[name] ?? 2
  const entries = Object.entries(properties).sort(([a], [b]) => rankOf(a) - rankOf(b))
  return entries.map(([name, schema]) => ({
    name,
    label: labelOf(name),
    ...(schema.description !== undefined && { hint: hintOf(schema) }),
    required: required.includes(name),
    ...controlOf(schema, files[name], files),
  }))
}

const RANKS: Readonly<Record<string, number>> = { name: 0, title: 0, hex: 1, id: 3 }

/** The folder from which a file is chosen, and the part of its path that the value begins with. */
type FilePlace = { media_folder: string; public_folder: string }

/** The places of the keys whose values are paths of files. */
type FilePlaces = Readonly<Record<string, FilePlace>>

/** The keys of a table whose values are paths of files, all below one folder. */
function filePlaces(table: FieldTable, place: FilePlace): FilePlaces {
  const keys = Object.entries(table).filter(([, { kind }]) => kind === 'file')
  return Object.fromEntries(keys.map(([key]) => [key, place]))
}

/** `variantOf` → `Variant of`. */
function labelOf(key: string): string {
  const words = key.replace(/(?<=[a-z])(?=[A-Z0-9])/g, ' ').toLowerCase()
  return LABELS[key] ?? PRINT_LABELS.get(key) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** The labels of print values on tiles. */
const PRINT_LABELS: ReadonlyMap<string, string> = new Map(PRINT_KEYS.map(key => [key, PRINT_VALUES[key].label]))

const LABELS: Readonly<Record<string, string>> = {
  id: 'ID',
  rgb: 'RGB',
  url: 'Address',
  lang: 'Language',
  nav: 'Navigation',
  not: 'Instead of',
}

/** The description, with an example that fits into one line. */
function hintOf({ description = '', examples = [] }: Schema): string {
  const example = examples.find(each => typeof each !== 'object')
  return example === undefined ? description : `${description} Example: ${example}`
}

type Control = Pick<EditorField, 'widget'> & Partial<EditorField>

function controlOf(schema: Schema, place: FilePlace | undefined, files: FilePlaces): Control {
  if (place) return { widget: 'file', choose_url: false, ...place }
  if (schema.pattern === HEX.pattern) return { widget: 'color', allowInput: true, pattern: patternOf(schema) }
  const forms = [schema, ...(schema.anyOf ?? [])]
  const object = forms.find(form => form.properties ?? form.additionalProperties)
  if (object?.properties) {
    const fields = fieldsOf(object.properties, { ...object, files })
    return { widget: 'object', collapsed: fields.length > MAX_OPEN, fields }
  }
  if (object) return { widget: 'keyvalue', key_label: 'Name', value_label: 'Value' }
  return schema.type === 'array' ? listControl(schema) : (choiceControl(schema) ?? textControl(forms))
}

/** A group of more fields opens on demand. */
const MAX_OPEN = 16

function listControl({ items = {} }: Schema): Control {
  const { properties } = items
  // A word a line, as in the library's list without fields.
  if (!properties) return { widget: 'list' }
  const [first = 'name'] = Object.keys(properties)
  return {
    widget: 'list',
    ...ENTRY_LIST,
    summary: `{{${first}}}`,
    fields: [...fieldsOf(properties, items), PLACE_FIELD],
  }
}

/** The look of a list of entries, which are closed at first. */
const ENTRY_LIST = { summary: '{{name}}', label_singular: 'entry', collapsed: true }

/** The summary of a colour ends with its value, which the page shows as a swatch. */
const COLOR_SUMMARY = "{{name}}\u2002{{hex | default('{{rgb}}')}}"

/** The hidden place of an entry in the file, by which it is recognised after it was renamed and moved. */
const PLACE_FIELD: EditorField = { name: 'at', label: 'Place', widget: 'hidden' }

/** A switch for a flag that is off by default, otherwise a choice of one or several words. */
function choiceControl({ enum: words, items, default: usual }: Schema): Control | undefined {
  if (words?.includes(true) && usual === false) return { widget: 'boolean' }
  if (words) return { widget: 'select', options: [...new Set(words.map(String))] }
  return items?.enum ? { widget: 'select', multiple: true, options: items.enum.map(String) } : undefined
}

/** One line or several, with a pattern if the schema asks for more than a line of text. */
function textControl(forms: readonly Schema[]): Control {
  if (forms.some(({ pattern }) => pattern === DESCRIPTION.pattern)) return { widget: 'text' }
  const checked = forms.find(({ pattern }) => pattern !== undefined && pattern !== NAME.pattern)
  if (!checked || forms.some(({ pattern }) => pattern === NAME.pattern)) return { widget: 'string' }
  const words = forms.flatMap(form => form.enum ?? [])
  return { widget: 'string', pattern: patternOf(checked, words.length > 0 ? `^(?:${words.join('|')})$|` : '') }
}

/** The pattern of a field and what to write instead. */
function patternOf({ pattern, patternErrorMessage = '' }: Schema, before = ''): readonly [string, string] {
  return [`/${before}${pattern}/u`, patternErrorMessage]
}
