import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import test from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import { parse, parseDocument, stringify, visit } from 'yaml'
import { THEME_FIELDS } from '#brand/appearance.ts'
import { COLOR_FIELDS } from '#brand/color.ts'
import { keysOf } from '#brand/fields.ts'
import { FILE_FIELDS, FOLDER_FIELDS } from '#brand/file.ts'
import { type Problem, RULES } from '#brand/finding.ts'
import { isStyleId, slug } from '#brand/ids.ts'
import { isPlaceholder } from '#brand/placeholder.ts'
import { TYPE_FIELDS } from '#brand/type-style.ts'
import { readFilesFile } from '#intake/files/files-file.ts'
import { readProjectFile } from '#intake/project/project-file.ts'
import { readWorkspaceFile } from '#intake/project/workspace.ts'
import { COLOR_KINDS } from '#intake/schema/colors.ts'
import { FILE_KINDS } from '#intake/schema/files.ts'
import { schemaFiles } from '#intake/schema/folder-schemas.ts'
import { schemasOf } from '#intake/schema/kinds.ts'
import {
  FOOTER_LINK_KEYS,
  LINT_KEYS,
  OFFICE_KEYS,
  PROJECT_KEYS,
  THEME_KINDS,
  WORD_KEYS,
  WORKSPACE_KEYS,
} from '#intake/schema/project.ts'
import type { KeyTable } from '#intake/schema/schema.ts'
import { TYPE_KINDS } from '#intake/schema/types.ts'
import { readColors } from '#intake/styles/colors.ts'
import { readTypes } from '#intake/styles/types.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { needs } from '../../support/programs.ts'
import { codePoint, fc, scale } from '../../support/random.ts'

const ajv = new Ajv({ allowUnionTypes: true, strictTypes: false, strictNumbers: false, strictRequired: false })
ajv.addKeyword({ keyword: 'patternErrorMessage', schemaType: 'string' })
const validators = new Map(schemaFiles().map(({ name, text }) => [name, ajv.compile(JSON.parse(text))]))

/** The reader of each file, and its schema. */
const FILES = {
  workspace: { read: readWorkspaceFile, accepts: validator('workspace') },
  project: { read: readProjectFile, accepts: validator('project') },
  colors: { read: readColors, accepts: validator('colors') },
  types: { read: readTypes, accepts: validator('types') },
  files: { read: readFilesFile, accepts: validator('files') },
}

const OFFICE_LINES = keysOf(OFFICE_KEYS).map(key => `${key}: ink`)

/** Every mapping in the files: its keys, and a function that creates a valid document with an extra `key: value`. */
const MAPPINGS: readonly { file: keyof typeof FILES; keys: KeyTable; documentOf: (line: string) => string }[] = [
  { file: 'workspace', keys: WORKSPACE_KEYS, documentOf: line => `${line}\n` },
  { file: 'project', keys: PROJECT_KEYS, documentOf: line => `${line}\n` },
  { file: 'project', keys: schemasOf(THEME_FIELDS, THEME_KINDS), documentOf: line => `theme:\n  ${line}\n` },
  {
    file: 'project',
    keys: FOOTER_LINK_KEYS,
    documentOf: line => `footer:\n- ${line}\n${other(line, ['name: Imprint', 'url: https://a.example'], '  ')}`,
  },
  {
    file: 'project',
    keys: OFFICE_KEYS,
    documentOf: line => `office:\n  ${line}\n${other(line, OFFICE_LINES, '  ')}`,
  },
  {
    file: 'project',
    keys: WORD_KEYS,
    documentOf: line => `words:\n- ${line}\n${other(line, ['write: is', 'not: [utilise]'], '  ')}`,
  },
  { file: 'project', keys: LINT_KEYS, documentOf: line => `lint:\n  ${line}\n` },
  {
    file: 'colors',
    keys: schemasOf(COLOR_FIELDS, COLOR_KINDS),
    documentOf: line => `- ${line}\n${other(line, ['name: It', 'hex: fff'], '  ')}`,
  },
  {
    file: 'types',
    keys: schemasOf(TYPE_FIELDS, TYPE_KINDS),
    documentOf: line => `- ${line}\n${other(line, ['name: It'], '  ')}`,
  },
  { file: 'files', keys: schemasOf(FILE_FIELDS, FILE_KINDS), documentOf: line => `images/mark.svg:\n  ${line}\n` },
  { file: 'files', keys: schemasOf(FOLDER_FIELDS, FILE_KINDS), documentOf: line => `folders:\n  logo:\n    ${line}\n` },
]
const KEYS = MAPPINGS.flatMap(({ file, keys, documentOf }) =>
  keysOf(keys).map(key => ({ file, key, keys, documentOf })),
)

const TAKEN = { isReadable: true, schema: true, reader: true }
const REFUSED = { isReadable: true, schema: false, reader: false }

test('docs/folder-format.md names every key', () => {
  const docs = readFileSync('docs/folder-format.md', 'utf8')
  const missing = KEYS.filter(({ key }) => !docs.includes(`\`${key}\``) && !docs.includes(`${key}:`))
  const seen = missing.map(({ file, key }) => `${file}: ${key}`)
  assert.deepEqual(seen, [])
})

test('schema and reader accept the examples and defaults in the schema', () => {
  for (const { file, key, keys, documentOf } of KEYS) {
    const { examples = [], default: usual, description } = keys[key] ?? {}
    assert.match(description ?? '', /^\S.*\.$/, key)
    for (const value of usual === undefined ? examples : [...examples, usual]) {
      const text = documentOf(`${key}: ${stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`)
      assert.deepEqual(verdicts(file, text), TAKEN, text)
    }
  }
})

test('schema and reader reject a value of the wrong kind for every key', () => {
  for (const { file, key, documentOf } of [...KEYS, ...MAPPINGS.map(each => ({ ...each, key: 'colour' }))])
    for (const value of ['{ a: { b: c } }', '[[x]]', '', '# none', '#fff']) {
      const text = documentOf(`${key}: ${value}`)
      assert.deepEqual(verdicts(file, text), REFUSED, text)
    }
})

/** Typical values in brand files, and values that nearly match. */
const WRITTEN = [
  ['a', 'Ink', 'ink-2', 'Two words', 'a--b', '-a', 'a/b', 'a//b', 'schemas', 'Größe', '红'],
  [63, 64, 200, 201, 255, 256, 1000, 1001].map(count => 'x'.repeat(count)),
  ['000000', '0123', '1d70b8', '#1d70b8', 'abc', '#ABCD', '12e456', '0', '-0', '-1', '+5', '.5', '5.', '1.0', '16'],
  ['99.5', '100', '100.5', '255', '256', '600', '1000', '1001', '65535', '65536', '1000000', '1000001', '1e3', '0x10'],
  ['16px', '16 px', '54 %', '54%', '1.5em', '1,5', '29,112,184', '29 112 184', '29, 112,  300', '84,39,0,28'],
  [
    '90/45/25/30',
    'C90 M45 Y25 K30',
    'cmyk(90%, 45%, 25%, 30%)',
    'R0 G181 B226',
    'rgb(0 181 226)',
    'rgb(0% 71% 89%)',
    '0% 181 226',
    '0.9 0.45 0 1',
  ],
  ['5015', 'RAL 5015', 'RAL Design 240 40 40', '110-1', 'P1 5015', 'RAL 12', 'RAL 3022 Lachsrot', '3022 (rosa salmón)'],
  ['true', 'false', 'True', 'yes', 'null', '~', 'off', 'warning', 'error', 'private', 'public', 'served', 'auto'],
  ['none', 'uppercase', 'small-caps', 'Uppercase', 'normal', 'italic', 'oblique', 'square', 'soft', 'round'],
  ['SemiBold', 'semi-bold', 'Extra Light', 'Boldest', '0400', '600.0', 'tnum', 'tnu', 'Georgia, serif'],
  ['de', 'en-GB', 'zh-Hant', 'pt_BR', 'x', 'german', 'de-', 'en-u-ca-gregory', 'de-CH-1996', 'de-x-a'],
  ['https://a.example/b', 'http:a', 'mailto:a@b.example', 'HTTPS://A.EXAMPLE', 'ftp://a', 'https://a b'],
  ['image/svg+xml', 'text/plain; charset=utf-8', 'text', '2026-11-21', '.inf', 'ab\tc', 'ab\nc', ' ', '', 'é'],
].flat()

/** A value in YAML: in one of several notations, on its own or in a list or mapping. */
const SOURCES = fc
  .record({
    text: fc.oneof(
      fc.constantFrom(...WRITTEN),
      fc.string({ unit: fc.constantFrom(...'0123456789.+-e,# %'), maxLength: 9 }),
      fc.string({ unit: fc.constantFrom(...'abefxABF-/ _:0159é'), maxLength: 9 }),
      fc.string({ unit: codePoint, maxLength: 4 }),
    ),
    style: fc.constantFrom('plain', 'plain', 'single', 'double'),
    shape: fc.constantFrom('{}', '{}', '{}', '[{}]', '[{}, x]', '[{}, 0, 0]', '[{}, 1, 2, 3]', '{ tnum: {} }'),
  })
  .map(({ text, style, shape }) => shape.replace('{}', () => quoteAs(text, style)))

/** All values without quotes; each key is tested with these first. */
const CERTAIN = WRITTEN.map((text): [string] => [text])

test('schema and reader agree on any value of every key', { timeout: PATIENCE_MS }, () => {
  const seen = { both: 0, neither: 0 }
  for (const { file, key, documentOf } of KEYS)
    fc.assert(
      fc.property(SOURCES, source => {
        const text = documentOf(`${key}: ${source}`)
        const found = verdicts(file, text)
        if (!found.isReadable) return
        const { schema, reader } = found
        if (schema && reader) seen.both++
        else if (!schema && !reader) seen.neither++
        else assert.ok(schema ? isBeyondSchema(key, text) : isBeyondEditor(key, text), `${text} ${schema}`)
      }),
      { numRuns: scale(40) + CERTAIN.length, examples: CERTAIN },
    )
  assert.ok(seen.both > 1000 && seen.neither > 1000, JSON.stringify(seen))
})

test('lists and mappings have the same length limits in schema and reader', () => {
  const listOf = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(', ')}]`
  let count = 0
  const tags = (count: number) => Array.from({ length: count }, (_, at) => `t${String(at).padStart(3, '0')}: 1`)
  const texts: readonly [file: keyof typeof FILES, text: string, isTaken: boolean][] = [
    ['colors', `- { name: A, hex: fff, on: ${listOf(100, 'b')} }`, true],
    ['colors', `- { name: A, hex: fff, on: ${listOf(101, 'b')} }`, false],
    ['types', `- { name: A, features: { ${tags(1000).join(', ')} } }`, true],
    ['types', `- { name: A, features: { ${tags(1001).join(', ')} } }`, false],
    ['project', `footer: ${listOf(100, '{ name: A, url: https://a.example }')}`, true],
    ['project', `footer: ${listOf(101, '{ name: A, url: https://a.example }')}`, false],
    ['project', 'footer: [{ name: A }]', false],
    ['project', `office: { ${OFFICE_LINES.join(', ')} }`, true],
    ['project', `office: { ${OFFICE_LINES.slice(0, 12).join(', ')} }`, true],
    ['project', `office: { ${OFFICE_LINES.slice(12).join(', ')} }`, true],
    ['project', `office: { ${OFFICE_LINES.slice(1).join(', ')} }`, false],
    ['project', `office: { ${OFFICE_LINES.slice(0, 13).join(', ')} }`, false],
    ['project', 'office: {}', false],
    ['project', 'pages: [a, a]', false],
    ['project', `words: ${listOf(1000, '{ write: a, not: b }')}`.replace(/not: b/g, () => `not: b${count++}`), true],
    ['project', `words: ${listOf(1001, '{ write: a, not: b }')}`, false],
    ['project', `words: [{ write: a, not: ${listOf(50, 'b')} }]`, true],
    ['project', `words: [{ write: a, not: ${listOf(101, 'b')} }]`, false],
    ['project', 'words: [{ write: a, not: [] }]', false],
    ['project', 'words: [{ write: a, not: "," }]', false],
    ['project', 'words: [{ write: a }]', false],
    ['project', `lint: { ignore: ${listOf(101, 'a')} }`, false],
    ['project', 'lint: { rules: { unreadable: warning } }', true],
    ['project', 'lint: { rules: { unreadable: off } }', false],
    ['project', 'lint: { rules: { color-of: off } }', false],
    ['project', 'rules: { link-broken: error }', true],
    ['project', 'rules: { link-borken: error }', false],
    ['project', 'rules: { no-project: off }', false],
    ['colors', '- name: A', false],
    ['colors', '- hex: fff', false],
    ['types', `- name: ${'a'.repeat(1000)}\n  id: a`, true],
    ['types', `- name: ${'a'.repeat(1001)}\n  id: a`, false],
    ['colors', '- name: A\n  hex: fff\n  use: >\n    A text\n    on two lines\n', true],
    ['files', 'a.svg: A ring\nb.svg: ""\n2024: 7\n', true],
    ['files', 'a.svg: [A ring]', false],
    ['workspace', '# nothing yet', true],
    ['project', '# nothing yet', true],
    ['colors', '# nothing yet', true],
    ['types', '# nothing yet', true],
    ['files', '# nothing yet', true],
    ['colors', 'a: b', false],
    ['project', '- a', false],
    ['files', '- a', false],
  ]
  for (const [file, text, isTaken] of texts) assert.deepEqual(verdicts(file, text), isTaken ? TAKEN : REFUSED, text)
})

const EXAMPLES = new URL('../../../examples', import.meta.url).pathname
const CORPUS = new URL('../../../../shared/corpus', import.meta.url).pathname

for (const folder of [EXAMPLES, CORPUS])
  test(`the schemas accept every file of ${basename(folder)}`, {
    skip: !existsSync(folder) && needs('../shared').skip,
  }, () => {
    const paths = globSync('**/{workspace,project,colors,types,files}.yaml', { cwd: folder })
    assert.ok(paths.length >= 4, `${paths.length} files`)
    for (const path of paths) {
      const file = basename(path, '.yaml')
      assert.ok(isFile(file))
      const text = readFileSync(`${folder}/${path}`, 'utf8')
      assert.deepEqual([path, complaints(FILES[file].accepts, text)], [path, null])
    }
  })

function isFile(name: string): name is keyof typeof FILES {
  return Object.hasOwn(FILES, name)
}

function validator(name: string): ValidateFunction {
  const found = validators.get(`${name}.json`)
  assert.ok(found)
  return found
}

function complaints(accepts: ValidateFunction, text: string): ValidateFunction['errors'] {
  accepts(parse(text))
  return accepts.errors
}

/**
 * Whether the schema accepts a document as an editor reads it, whether the reader accepts it, and whether it is
 * supported YAML.
 */
function verdicts(file: keyof typeof FILES, text: string): { isReadable: boolean; schema: boolean; reader: boolean } {
  const { accepts, read } = FILES[file]
  const document = parseDocument(text, { logLevel: 'silent' })
  const { problems } = read(text)
  const isReadable = document.errors.length === 0 && problems.every(({ rule }) => !rule.startsWith('yaml-'))
  const isError = ({ rule }: Problem) => RULES[rule].severity === 'error' && !ACROSS.includes(rule)
  return { isReadable, schema: isReadable && accepts(document.toJS()), reader: !problems.some(isError) }
}

/** Rules about combinations of values, which a schema cannot express. */
const ACROSS = ['reference-missing', 'id-taken', 'color-disagreement']

function other(line: string, lines: readonly string[], indentation: string): string {
  const key = line.slice(0, line.indexOf(':'))
  return lines
    .filter(each => !each.startsWith(`${key}:`))
    .map(each => `${indentation}${each}\n`)
    .join('')
}

function quoteAs(text: string, style: string): string {
  if (style === 'double') return JSON.stringify(text)
  return style === 'single' && !/[\n\p{Cc}]/u.test(text) ? `'${text.replaceAll("'", "''")}'` : text
}

/**
 * Values that a reader rejects but a schema cannot, because it does not know how a value was written or what it means.
 */
function isBeyondSchema(key: string, text: string): boolean {
  const texts = scalars(text).map(({ source }) => source)
  if (key === 'pages' && new Set(texts).size < texts.length) return true
  if (
    key === 'hex' ||
    key === 'dark' ||
    scalars(text).some(({ isNumberOrFlag, isAsWritten }) => isNumberOrFlag && !isAsWritten)
  )
    return true
  return scalars(text).some(
    ({ source, isQuoted }) =>
      (isQuoted && source.endsWith('\n')) ||
      (/^(?:id|pages)$/.test(key) && source !== source.normalize('NFKD')) ||
      (/^(?:url|contact)$/.test(key) && !URL.canParse(source.trim())) ||
      (key === 'name' && !isStyleId(slug(source))) ||
      (key === 'lang' && /-u-/i.test(source)),
  )
}

/**
 * Values that readers leave out with a warning, and values that an editor confuses: unquoted `null` and `~` are missing values, `false` is a boolean, and ids and RAL
 * Design numbers may look like other numbers.
 */
function isBeyondEditor(key: string, text: string): boolean {
  const forms = [/^(?:null|Null|NULL|~)$/]
  if (key === 'lang') forms.push(/^false$/)
  if (key === 'ral') forms.push(/^0\d{6}$/)
  if (key === 'id' || key === 'pages') forms.push(/^\d+e-\d+$/)
  if (scalars(text).some(({ source }) => isPlaceholder(source))) return true
  return scalars(text).some(({ source, isQuoted }) => !isQuoted && forms.some(form => form.test(source)))
}

function scalars(text: string): { source: string; isQuoted: boolean; isNumberOrFlag: boolean; isAsWritten: boolean }[] {
  const found: ReturnType<typeof scalars> = []
  visit(parseDocument(text), {
    Scalar: (_, { value, source = '', type }) => {
      const isNumberOrFlag = typeof value === 'number' || typeof value === 'boolean'
      const isQuoted = type?.startsWith('QUOTE') === true
      found.push({ source, isQuoted, isNumberOrFlag, isAsWritten: String(value) === source && !source.includes('e+') })
    },
  })
  return found
}
