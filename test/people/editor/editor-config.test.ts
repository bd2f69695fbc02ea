import assert from 'node:assert/strict'
import test from 'node:test'
import type { Forge } from '#brand/forge.ts'
import { type EditorSource, editorConfig } from '#people/editor/editor-config.ts'
import type { EditorField } from '#people/editor/formats/field.ts'

const SOURCE: EditorSource = {
  workspace: 'acme',
  name: 'Acme',
  projects: [{ id: 'guidelines', name: 'Brand guidelines', folder: 'guidelines', pages: {} }],
}
const FORGE: Forge = { name: 'github', origin: 'https://github.com', repo: 'acme/brand', branch: 'main', path: 'brand' }

test('the editor has an entry for each YAML file and the pages of a project, and for workspace.yaml', () => {
  assert.deepEqual(places(SOURCE), {
    'guidelines/colors': 'guidelines/styles/colors.yaml',
    'guidelines/types': 'guidelines/styles/types.yaml',
    'guidelines/files': 'guidelines/files/files.yaml',
    'guidelines/project': 'guidelines/project.yaml',
    guidelines_pages: 'guidelines/pages',
    'workspace_file/workspace': 'workspace.yaml',
  })
})

test('paths begin with the brand folder of the repository, and a project may be the brand folder itself', () => {
  const itself = { id: 'shop', name: 'Shop', folder: '', pages: {} }
  assert.equal(places({ ...SOURCE, projects: [itself] })['shop/colors'], 'styles/colors.yaml')
  assert.deepEqual(places({ ...SOURCE, projects: [itself], forge: FORGE })['shop/colors'], 'brand/styles/colors.yaml')
  assert.deepEqual(places({ ...SOURCE, forge: FORGE })['workspace_file/workspace'], 'brand/workspace.yaml')
})

test('the backend is the repository, with an address of its API if an organisation runs the host', () => {
  const TOKEN = { auth_methods: ['token'] }
  const backendOf = (forge?: Forge) => editorConfig({ ...SOURCE, forge }).backend
  assert.deepEqual(backendOf(FORGE), { name: 'github', repo: 'acme/brand', branch: 'main', ...TOKEN })
  assert.deepEqual(backendOf({ ...FORGE, name: 'gitlab', origin: 'https://gitlab.com' }), {
    name: 'gitlab',
    repo: 'acme/brand',
    branch: 'main',
    ...TOKEN,
  })
  assert.deepEqual(backendOf({ ...FORGE, origin: 'https://github.example.com' }), {
    name: 'github',
    repo: 'acme/brand',
    branch: 'main',
    api_root: 'https://github.example.com/api',
    base_url: 'https://github.example.com',
    ...TOKEN,
  })
  assert.deepEqual(backendOf(), { name: 'github', repo: 'folder/acme', ...TOKEN })
})

test('only the keys that check requires are required', () => {
  const required = fieldsOf(SOURCE).filter(({ field }) => field.required === true)
  assert.deepEqual(
    required.map(({ path }) => path).sort(),
    `
    colors/items/name files/folders/path files/items/path project/footer/name project/footer/url
    project/words/not project/words/write types/items/name
  `
      .trim()
      .split(/\s+/),
  )
})

test('print values are one line of text with a pattern that accepts their usual forms', () => {
  const accepts = (path: string, text: string) => {
    const pattern = fieldsOf(SOURCE).find(field => field.path === path)?.field.pattern
    assert.ok(Array.isArray(pattern), path)
    const [, source = '', flags] = /^\/(.*)\/(\w*)$/.exec(`${pattern[0]}`) ?? []
    return new RegExp(source, flags).test(text)
  }
  for (const [path, right, wrong] of [
    ['colors/items/cmyk', ['84, 39, 0, 28', '84,39,0,28', '84 39 0 28'], ['84, 39, 0', '84, 39, 0, 128']],
    ['colors/items/rgb', ['29, 112, 184', '29,112,184'], ['29, 112', '29, 112, 284']],
    ['colors/items/ral', ['5015', 'RAL 5015'], ['15', 'blue']],
    ['types/items/weight', ['600', 'SemiBold'], ['heavyish', '1001']],
    ['types/items/size', ['16', '1.5'], ['16px', '-1']],
    ['project/theme/corners', ['soft', '4', '4 px'], ['roundish']],
  ] as const) {
    for (const text of right) assert.ok(accepts(path, text), `${path}: ${text}`)
    for (const text of wrong) assert.ok(!accepts(path, text), `${path}: ${text}`)
  }
})

test('pages have the order of the guide, by the paths of their files', () => {
  const order = ['index', 'logo', 'logo/misuse'].map(id => ({ id, name: id.toUpperCase() }))
  const project = { id: 'shop', name: 'Shop', folder: '', pages: { logo: 'pages/logo/index.md' }, order }
  assert.deepEqual(editorConfig({ ...SOURCE, projects: [project] }).guides, {
    shop_pages: {
      project: 'shop',
      name: 'Shop',
      look: undefined,
      media: 'files',
      paths: ['index', 'logo/index', 'logo/misuse'],
      names: { index: 'INDEX', logo: 'LOGO', 'logo/misuse': 'LOGO/MISUSE' },
      pictures: [],
    },
  })
})

test('with several guides, pages are named for theirs, and come first', () => {
  const labels = (projects: EditorSource['projects']) =>
    editorConfig({ ...SOURCE, projects }).collections.map(each => each.label)
  const second = { id: 'print', name: 'Print', folder: 'print', pages: {} }
  assert.deepEqual(labels(SOURCE.projects), ['Pages', 'Styles and settings', 'Workspace'])
  assert.deepEqual(labels([...SOURCE.projects, second]), [
    'Brand guidelines',
    'Styles and settings: Brand guidelines',
    'Print',
    'Styles and settings: Print',
    'Workspace',
  ])
})

test('a reviewed repository gets pull requests', () => {
  assert.equal(editorConfig({ ...SOURCE, forge: FORGE }).publish_mode, undefined)
  assert.equal(editorConfig({ ...SOURCE, forge: FORGE, isReviewed: true }).publish_mode, 'editorial_workflow')
})

/** The paths of files and folders, by collection and entry. */
function places(source: EditorSource): Record<string, string> {
  const found: Record<string, string> = {}
  for (const collection of editorConfig(source).collections) {
    if ('folder' in collection) found[collection.name] = collection.folder
    else for (const { name, file } of collection.files) found[`${collection.name}/${name}`] = file
  }
  return found
}

/** All fields with their places: `colors/items/name`. */
function fieldsOf(source: EditorSource): { path: string; field: EditorField }[] {
  const inside = (path: string, fields: readonly EditorField[] = []): { path: string; field: EditorField }[] =>
    fields.flatMap(field => [
      { path: `${path}/${field.name}`, field },
      ...inside(`${path}/${field.name}`, field.fields),
    ])
  return editorConfig(source).collections.flatMap(collection =>
    'folder' in collection
      ? inside('page', collection.fields)
      : collection.files.flatMap(({ name, fields }) => inside(name, fields)),
  )
}
