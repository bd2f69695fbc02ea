import { THEME_FIELDS } from '../brand/appearance.ts'
import { EDITED_FILES, editorCollections, type SourcePaths } from '../brand/edit-link.ts'
import { FILE_FIELDS } from '../brand/file.ts'
import type { Forge } from '../brand/forge.ts'
import { COLORS } from '../intake/schema/colors.ts'
import { FILES, FOLDERS_KEY } from '../intake/schema/files.ts'
import { PROJECT_KEYS, WORKSPACE_KEYS } from '../intake/schema/project.ts'
import type { Schema } from '../intake/schema/schema.ts'
import { TYPES } from '../intake/schema/types.ts'
import { AT, ENTRIES, type FilePlace, type FilePlaces, fieldsOf, filePlaces } from './fields.ts'
import type { EditorField } from './formats/field.ts'
import { PAGE_KEYS } from './page-keys.ts'

/** A project whose files the editor shows. */
export type EditorProject = SourcePaths & { id: string; name: string }

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

/** The configuration of the editor (Sveltia CMS, `config.yml`). Paths begin with the brand folder of the repository. */
export function editorConfig(source: EditorSource) {
  const { forge, projects, isReviewed = false } = source
  const root = forge?.path ?? ''
  const folder = join(root, projects[0]?.folder ?? '')
  return {
    backend: backendOf(source),
    ...(isReviewed && { publish_mode: 'editorial_workflow' }),
    load_config_file: false,
    app_title: source.name,
    media_folder: join(folder, 'files'),
    public_folder: 'files',
    editor: { preview: false },
    slug: { encoding: 'unicode', clean_accents: true },
    collections: [
      ...projects.flatMap(project => projectCollections(project, root, projects.length > 1)),
      workspaceCollection(root, projects[0]),
    ],
  }
}

/** A folder needs a repository's name, under which the browser remembers the folder. */
function backendOf({ workspace, forge, signin }: EditorSource): Readonly<Record<string, unknown>> {
  if (!forge) return { name: 'github', repo: `folder/${workspace}` }
  const { name, origin, repo, branch } = forge
  const own = origin === `https://${name}.com` ? {} : { api_root: API_ROOTS[name](origin), base_url: origin }
  return { name, repo, branch, ...own, ...signin }
}

/** The addresses of the APIs of hosts that an organisation runs itself. */
const API_ROOTS = {
  github: (origin: string) => `${origin}/api/v3`,
  gitlab: (origin: string) => `${origin}/api/v4`,
} as const

function projectCollections({ id, name, folder }: EditorProject, root: string, isOneOfSeveral: boolean) {
  const prefix = isOneOfSeveral ? `${name}: ` : ''
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
      name: lists,
      label: `${prefix}Styles and settings`,
      icon: 'palette',
      files,
      media_folder: `/${join(place, 'files')}`,
      public_folder: 'files',
    },
    {
      name: pages,
      label: `${prefix}Pages`,
      label_singular: 'page',
      icon: 'article',
      folder: join(place, 'pages'),
      create: true,
      format: 'page',
      slug: '{{title}}',
      summary: "{{title | default('{{slug}}')}}",
      nested: { depth: 100, subfolders: false },
      fields: [...pageFields(), SOURCE],
    },
  ]
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
    return [
      {
        name: 'items',
        label: 'Entries',
        widget: 'list',
        required: false,
        ...ENTRIES,
        fields: [...fieldsOf(properties, rest), AT],
      },
    ]
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
  const path = { name: 'path', label: 'Path', required: true }
  const folders = FILES.properties?.[FOLDERS_KEY]?.additionalProperties || {}
  const file = FILES.additionalProperties || {}
  const places = filePlaces(FILE_FIELDS, files)
  const look = { ...ENTRIES, summary: '{{path}}' }
  return [
    {
      name: 'items',
      label: 'Files',
      widget: 'list',
      required: false,
      ...look,
      fields: [
        { ...path, widget: 'string', hint: 'The path of the file below files/ or pages/. Example: logo/acme.svg' },
        ...fieldsOf(file.properties ?? {}, { files: places }),
        AT,
      ],
    },
    {
      name: FOLDERS_KEY,
      label: 'Folders of the library',
      widget: 'list',
      required: false,
      ...look,
      fields: [
        { ...path, widget: 'string', hint: 'The path of the folder below files/. Example: logo' },
        ...fieldsOf(folders.properties ?? {}),
        AT,
      ],
    },
  ]
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
