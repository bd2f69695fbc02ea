import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { COLOR_COLUMNS } from '../src/brand/color.ts'
import { exampleRequest, guide, ON_ERRORS, ON_TOKEN_ERRORS, type Section } from '../src/brand/contract/guide.ts'
import { openApiDocument, type ReplyExamples } from '../src/brand/contract/openapi.ts'
import { isScope, OPERATIONS, type Operation } from '../src/brand/contract/operations.ts'
import { REFUSALS, TOKEN_REFUSALS } from '../src/brand/contract/refusals.ts'
import { REPLY_HEADERS } from '../src/brand/contract/reply-headers.ts'
import { LIMITS, type Route, WHO } from '../src/brand/contract/route.ts'
import type { Schema } from '../src/brand/contract/schema.ts'
import { fieldsOf, shortExample } from '../src/brand/contract/schema.ts'
import { SCHEMAS } from '../src/brand/contract/schemas.ts'
import { RULES } from '../src/brand/finding.ts'
import { ALL_TYPE_FIELDS } from '../src/delivery/export/format.ts'
import { COMMAND_FORMATS, FORMATS } from '../src/delivery/export/formats.ts'
import { schemaFiles } from '../src/intake/schema/folder-schemas.ts'
import { SETTINGS, type Setting } from '../src/platform/settings/table.ts'
import { METRICS, type MetricRow } from '../src/platform/telemetry/metrics-table.ts'
import { commandsAbout } from '../src/program/cli/about.ts'
import { COMMANDS } from '../src/program/cli/commands.ts'
import { exitCodeOf, FAILURE_CODES } from '../src/program/cli/failure.ts'
import { ROUTES } from '../src/program/http/service/routes.ts'
import { accessibilityPage, accessibilityYaml } from '../test/docs/accessibility-report.ts'
import { table } from '../test/docs/markdown-table.ts'
import { acmeExamples } from '../test/support/acme-service.ts'

const ROOT = new URL('../', import.meta.url)

/** The files that are generated from tables in the code: each path from the root, and its expected text. */
export async function generatedFiles(): Promise<{ path: string; text: string }[]> {
  const examples = await acmeExamples()
  const documents = {
    api: api(examples),
    findings: findings(),
    settings: settings(),
    commands: commands(),
    'decisions/README': decisions(),
    metrics: metrics(),
    formats: exportFormats(),
  }
  const pages = Object.entries(documents).map(async ([name, made]) => {
    const path = `docs/${name}.md`
    return { path, text: withMade(path, await readFile(new URL(path, ROOT), 'utf8'), made) }
  })
  const openapi = { path: 'openapi.json', text: `${JSON.stringify(openApiDocument(examples), null, 2)}\n` }
  const schemas = schemaFiles().flatMap(({ name, text }) =>
    ['schemas', 'examples/acme/_schemas'].map(folder => ({ path: `${folder}/${name}`, text })),
  )
  const addresses = { path: 'docs/addresses.md', text: addressPage() }
  const accessibility = [
    { path: 'docs/accessibility.yaml', text: accessibilityYaml() },
    { path: 'docs/accessibility.md', text: accessibilityPage() },
  ]
  return [openapi, addresses, ...accessibility, ...schemas, ...(await Promise.all(pages))]
}

/** The page of all addresses, which has no other text. */
function addressPage(): string {
  const drafts = ROUTES.filter(({ who }) => who === 'reviewer')
  return `<!-- generated -->

# Addresses

**Reference.** Every address of a service, below its public URL, from the table in \`src/program/http/service/routes.ts\`. The first row that fits a path is used. Ids in braces are decoded once; \`{page}\` and the last id of a list, a file, a folder or a font may have slashes. \`GET\` includes \`HEAD\`, and every address answers \`OPTIONS\`, except pages on which people decide.

*Name* is the label \`operation\` in [metrics](metrics.md). [Limits](limits.md) explains the settings, [access](access.md) what tokens may read, [a reverse proxy](reverse-proxy.md) which addresses to hide.

${addressTable(ROUTES.filter(route => !drafts.includes(route)))}

## Drafts

The same addresses below \`/-/draft\` show the [draft](manage.md#show-a-draft-to-reviewers) of a guide, to ${WHO.reviewer}. They are hidden from all others, and from every token.

${addressTable(drafts)}
`
}

function addressTable(routes: readonly Route<never>[]): string {
  const rows = routes.map(({ pattern, methods, name, who, limit }) => [
    `\`${pattern}\``,
    methods.filter(method => method !== 'HEAD' && method !== 'OPTIONS').join(', '),
    isScope(who) ? `a token with \`${who}\`` : WHO[who],
    LIMITS[limit],
    `\`${name}\``,
  ])
  return table(['address', 'method', 'who may ask', 'counts for', 'name'], rows)
}

/** Each export format, with the authored values that it omits. */
function exportFormats(): string {
  const served = FORMATS.map(({ id, file, summary, scopes, fields }) => {
    const omitted = [
      ...omittedFields('colours', COLOR_COLUMNS, fields.colors),
      ...omittedFields('type styles', ALL_TYPE_FIELDS, fields.types),
    ]
    const needed = [...new Set(['document.read', ...scopes])].map(scope => `\`${scope}\``).join(', ')
    return [`\`${id}\``, `\`${file}\``, summary, needed, omitted.join('; ') || 'nothing']
  })
  const byCommand = COMMAND_FORMATS.map(({ id, file, summary }) => {
    return [`\`${id}\``, `\`${file}\``, `${summary}; never served`, '', 'nothing']
  })
  return table(['format', 'file', 'content', 'token scopes', 'omits'], [...served, ...byCommand])
}

function omittedFields(kind: string, all: readonly string[], included: readonly string[]): string[] {
  const omitted = all.filter(field => !included.includes(field))
  if (omitted.length === 0) return []
  if (omitted.length === all.length) return [kind]
  const list = (fields: readonly string[]) => fields.map(field => `\`${field}\``).join(', ')
  if (included.length < omitted.length) return [`${kind} except ${list(included)}`]
  return [`${kind}: ${list(omitted)}`]
}

const START = '<!-- from here on made by `npm run docs` -->'
const END = '<!-- up to here -->'

function withMade(path: string, page: string, made: string): string {
  const start = page.indexOf(START)
  const end = page.indexOf(END)
  if (start === -1 || end < start) throw new Error(`${path} does not have the lines "${START}" and "${END}"`)
  return `${page.slice(0, start + START.length)}\n\n${made}\n\n${page.slice(end)}`
}

const ADDRESS = 'http://127.0.0.1:4080'

function api(examples: ReplyExamples): string {
  const [token, ...further] = guide(ADDRESS).map(section)
  return [
    token,
    '## Operations',
    'Each reply repeats the ids in its path as `workspace`, `project` and `page`; the tables omit these fields.',
    ...OPERATIONS.map(each => operation(each, examples[each.id])),
    ...further,
    headerFields(),
    ...errors(),
  ].join('\n\n')
}

function section({ title, blocks }: Section): string {
  return [`## ${title}`, ...blocks.map(block => (typeof block === 'string' ? block : shell(block.shell)))].join('\n\n')
}

function operation({ id, path, scope, reply, summary }: Operation, example: unknown): string {
  return [
    `### ${id}`,
    `\`GET ${path}\`, scope \`${scope}\`. ${summary}.`,
    shell(exampleRequest(ADDRESS, path)),
    fieldTable(SCHEMAS[reply], PATH_IDS),
    `\`\`\`json\n${shortExample(example)}\n\`\`\``,
  ].join('\n\n')
}

/** Fields that repeat an id of the request's path. */
const PATH_IDS: readonly string[] = ['workspace', 'project', 'page']

function fieldTable(schema: Schema, omitted: readonly string[] = []): string {
  const fields = fieldsOf(schema, SCHEMAS).filter(({ name }) => !omitted.includes(name))
  const rows = fields.map(({ name, type, isRequired, schema: { description = '' } }) => [
    `\`${name}\``,
    isRequired ? type : `${type}, optional`,
    description,
  ])
  return table(['field', 'type', 'meaning'], rows)
}

function headerFields(): string {
  const errors: readonly number[] = [...new Set(Object.values(REFUSALS).map(({ status }) => status))]
  const rows = Object.values(REPLY_HEADERS).map(({ name, statuses, description, schema }) => [
    `\`${name}\``,
    shortStatuses(statuses, errors),
    description,
    `\`${schema.examples?.[0]}\``,
  ])
  return `## Header fields of replies\n\n${table(['field', 'statuses', 'meaning', 'example'], rows)}`
}

function shortStatuses(statuses: readonly number[], errors: readonly number[]): string {
  if (!errors.every(status => statuses.includes(status))) return statuses.join(', ')
  return [...statuses.filter(status => !errors.includes(status)), 'every error'].join(', ')
}

function commands(): string {
  const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``
  const all = [...COMMANDS, ...commandsAbout(COMMANDS, async () => 0)]
  const rows = all.map(({ name, operands, summary }) => [code(`${name} ${operands}`.trim()), prose(summary)])
  return [
    table(['command', 'effect'], rows),
    '## Failure codes',
    `${ON_FAILURES} ${exitCodes()}`,
    table(['code', 'cause and fix'], failureRows()),
  ].join('\n\n')
}

function errors(): string[] {
  const rows = Object.values(REFUSALS).map(({ status, error, description }) => [
    `\`${error}\``,
    String(status),
    prose(description),
  ])
  return [
    '## Errors',
    ...ON_ERRORS,
    fieldTable(SCHEMAS.Error),
    table(['code', 'status', 'cause and fix'], rows),
    '## Errors of the token endpoint',
    ON_TOKEN_ERRORS,
    table(['code', 'status', 'cause and fix'], tokenErrorRows()),
  ]
}

function tokenErrorRows(): string[][] {
  return Object.entries(TOKEN_REFUSALS).map(([id, { status, description }]) => [
    `\`${id}\``,
    String(status),
    prose(description),
  ])
}

const ON_FAILURES =
  'A failed command prints nothing on stdout. With `--json` it prints `{"error": code, "message": …}` on stderr; programs should check only the code.'

function exitCodes(): string {
  const others = Object.keys(FAILURE_CODES)
    .map(code => ({ code, exit: exitCodeOf(code) }))
    .filter(({ exit }) => exit !== 1)
  const exceptions = [...new Set(others.map(({ exit }) => exit))].map(exit => {
    const codes = others.filter(other => other.exit === exit).map(({ code }) => `\`${code}\``)
    return `${exit} for ${codes.join(', ')}`
  })
  return `The exit code is 1, but ${exceptions.join('; ')}.`
}

function failureRows(): string[][] {
  return Object.entries(FAILURE_CODES).map(([code, { meaning, fix }]) => [`\`${code}\``, `${meaning} ${fix}`])
}

function findings(): string {
  const tableOf = (severity: string) => {
    const rules = Object.entries(RULES).filter(([, rule]) => rule.severity === severity)
    const rows = rules.map(([id, { summary, fix }]) => [`\`${id}\``, `${summary} ${fix}`])
    return table(
      ['rule', 'problem and fix'],
      rows.map(cells => cells.map(prose)),
    )
  }
  return ['## Errors', tableOf('error'), '## Warnings', tableOf('warning')].join('\n\n')
}

function metrics(): string {
  const rows = Object.entries<MetricRow>(METRICS).map(([name, { labels, help }]) => [
    `\`${name}\``,
    labels.map(label => `\`${label}\``).join(', '),
    prose(help),
  ])
  return table(['name', 'labels', 'meaning'], rows)
}

function settings(): string {
  const rows = Object.values(SETTINGS).map((setting: Setting) => [
    setting.isOnlyVariable ? 'none' : `\`${setting.flag} ${setting.value}\``,
    `\`${setting.environment}\`${setting.isSecret ? `, \`${setting.environment}_FILE\`` : ''}`,
    setting.default && `\`${setting.default}\``,
    prose(setting.help),
  ])
  return table(['flag', 'environment', 'default', 'meaning'], rows)
}

/** The subjects of decision records, in the order of the index. */
const SUBJECTS = [
  'Import',
  'Content',
  'Store',
  'Postgres, S3 and Redis',
  'Access',
  'Service',
  'Untrusted input',
  'Website',
  'Exports',
  'Operation',
  'Project',
]

/** The index of decision records, grouped by the subject that each record names. */
function decisions(): string {
  const folder = new URL('docs/decisions/', ROOT)
  const records = globSync('[0-9]*.md', { cwd: folder })
    .sort()
    .map(file => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const [, title = '', subject = ''] = /^# (.+)\n\n- Subject: (.+)\n/.exec(text) ?? []
      if (!SUBJECTS.includes(subject))
        throw new Error(`docs/decisions/${file} needs a subject of ${SUBJECTS.join(', ')}`)
      return { subject, line: `- [${title}](${file})` }
    })
  return SUBJECTS.map(subject => {
    const lines = records.filter(each => each.subject === subject).map(({ line }) => line)
    return `## ${subject}\n\n${lines.join('\n')}`
  }).join('\n\n')
}

function shell(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``
}

/** Escapes a string as Markdown, except code between backticks. */
function prose(text: string): string {
  return text
    .split('`')
    .map((part, at) => (at % 2 === 0 ? part.replace(/[<|*]/g, '\\$&') : `\`${part}\``))
    .join('')
}

if (import.meta.main) {
  for (const { path, text } of await generatedFiles()) await writeFile(new URL(path, ROOT), text)
}
