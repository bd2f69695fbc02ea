import { exampleRequest, guide, ON_ERRORS, ON_TOKEN_ERRORS, type Section } from '#brand/contract/guide.ts'
import type { ReplyExamples } from '#brand/contract/openapi.ts'
import { API_PATH, OPERATIONS, type Operation } from '#brand/contract/operations.ts'
import { errorBody, REFUSALS, TOKEN_REFUSALS } from '#brand/contract/refusals.ts'
import { ERROR_STATUSES, REPLY_HEADERS, type ReplyHeader } from '#brand/contract/reply-headers.ts'
import type { Schema } from '#brand/contract/schema.ts'
import { fieldsOf, shortExample } from '#brand/contract/schema.ts'
import { idsIn, PATH_IDS, SCHEMAS } from '#brand/contract/schemas.ts'
import type { Reply } from '#platform/exchange/message.ts'
import { html as htmlReply } from '#platform/exchange/reply.ts'
import { basePath } from '#platform/exchange/target.ts'
import type { Assets } from './assets.ts'
import { type Html, html } from './html.ts'
import { htmlDocument, pageHandling } from './layout/document.ts'

/**
 * The documentation of the API for people, at `/docs`. `publicUrl` is the service's own address, without a slash at its
 * end. Each error code is an anchor, to which `error_uri` leads.
 */
export function apiDocsPage(publicUrl: string, assets: Assets, examples: ReplyExamples): Reply {
  const guideChapters = guide(publicUrl).map(guideChapter)
  const chapters = [
    ...guideChapters.slice(0, 1), // How to get a token.
    operations(publicUrl, examples),
    ...guideChapters.slice(1),
    headerFields(),
    errors(publicUrl),
    tokenErrors(),
  ]
  const body = html`<main class="docs">
<header>
<h1>The housestyle API</h1>
<p>Brand guidelines as JSON, read-only: workspaces, their projects, and the pages, styles and files of a project. All paths stand below</p>
<pre tabindex="0"><code>${publicUrl}${API_PATH}</code></pre>
<p>The same for programs, as OpenAPI 3.1: <a href="${basePath(publicUrl)}/openapi.json">openapi.json</a>.</p>
</header>
<nav class="contents" aria-label="Contents">
<h2>Contents</h2>
<ul>
${chapters.map(contentsEntry)}</ul>
</nav>
<div class="chapters">
${chapters.map(({ id, title, body }) => html`<section>\n<h2 id="${id}">${title}</h2>\n${body}</section>\n`)}</div>
</main>`
  const page = htmlDocument(assets, { title: 'The housestyle API', kind: 'docs' }, body)
  return htmlReply(page.text, { handling: pageHandling(assets), caching: FOR_A_WHILE })
}

const FOR_A_WHILE = ['Cache-Control', 'public, max-age=300'] as const

type Chapter = { id: string; title: string; body: Html; parts?: readonly { id: string; title: string }[] }

function contentsEntry({ id, title, parts }: Chapter): Html {
  const below = parts?.map(part => html`<li><a href="#${part.id}"><code>${part.title}</code></a></li>`)
  return html`<li><a href="#${id}">${title}</a>${below && html`<ul>${below}</ul>`}</li>\n`
}

function guideChapter({ id, title, blocks }: Section): Chapter {
  const body = blocks.map(block => (typeof block === 'string' ? paragraph(block) : code(block.shell)))
  return { id, title, body: html`${body}` }
}

function operations(publicUrl: string, examples: ReplyExamples): Chapter {
  const parts = OPERATIONS.map(({ id }) => ({ id, title: id }))
  return {
    id: 'operations',
    title: 'Operations',
    body: html`${OPERATIONS.map(each => operation(each, publicUrl, examples[each.id]))}`,
    parts,
  }
}

function operation({ id, path, scope, reply, summary }: Operation, publicUrl: string, example: unknown): Html {
  const headers = Object.values(REPLY_HEADERS).filter(({ operations }) => operations?.some(each => each === id) ?? true)
  const fields = [...new Set(headers.filter(({ statuses }) => statuses.includes(200)).map(({ name }) => name))]
  return html`<section>
<h3 id="${id}">GET <code>${path
    .split('/')
    .slice(1)
    .map(part => html`/<wbr>${part}`)}</code></h3>
<p>${summary}.</p>
<p>Scope: <code>${scope}</code>. Header fields of the reply: ${fields.map((name, at) => html`${at > 0 && ', '}<a href="#headers"><code>${name}</code></a>`)}.</p>
${code(exampleRequest(publicUrl, path))}
${table(`Parameters of ${id}`, ['Parameter', 'Meaning'], idsIn(path).map(parameterRow))}
${fieldTable(`Reply of ${id}`, SCHEMAS[reply])}
<h4>Example</h4>
${code(shortExample(example))}
</section>
`
}

function parameterRow(name: string): Html[] {
  return [html`<code>${name}</code>`, prose(PATH_IDS[name]?.description ?? '')]
}

function headerFields(): Chapter {
  const rows = Object.values(REPLY_HEADERS).map(header => [
    fieldName(header.name, repliesWith(header)),
    html`${prose(header.description)}<br><code>${String(header.schema.examples?.[0])}</code>`,
  ])
  return {
    id: 'headers',
    title: 'Header fields of replies',
    body: table('Header fields of replies', ['Field', 'Meaning and example'], rows),
  }
}

function repliesWith({ statuses, operations }: ReplyHeader): string {
  const isOnErrors = ERROR_STATUSES.every(status => statuses.includes(status))
  if (isOnErrors) return statuses.includes(200) ? 'all' : 'all errors'
  return operations ? `${statuses.join(', ')} about a project` : statuses.join(', ')
}

function errors(publicUrl: string): Chapter {
  const rows = Object.values(REFUSALS)
  const codes = [...new Set(rows.map(({ error }) => error))]
  const body = html`${ON_ERRORS.map(paragraph)}
${fieldTable('The body of an error', SCHEMAS.Error)}
${code(shortExample(errorBody(REFUSALS['not-found'], publicUrl)))}
${codes.map(
  each => html`<h3 id="${each}"><code>${each}</code></h3>
${table(
  `Reasons for ${each}`,
  ['Status', 'Reason and remedy'],
  rows.filter(({ error }) => error === each).map(({ status, description }) => [html`${status}`, prose(description)]),
)}
`,
)}`
  return { id: 'errors', title: 'Errors', body, parts: codes.map(id => ({ id, title: id })) }
}

/** A code that the API has as well links to its entry there. */
function tokenErrors(): Chapter {
  const apiCodes: readonly string[] = Object.values(REFUSALS).map(({ error }) => error)
  const rows = Object.entries(TOKEN_REFUSALS).map(([id, { status, description }]) => [
    apiCodes.includes(id) ? html`<a href="#${id}"><code>${id}</code></a>` : html`<code id="${id}">${id}</code>`,
    html`${status}`,
    prose(description),
  ])
  const title = 'Errors of the token endpoint'
  return {
    id: 'token-errors',
    title,
    body: html`${paragraph(ON_TOKEN_ERRORS)}${table(title, ['Code', 'Status', 'Reason and remedy'], rows)}`,
  }
}

function fieldTable(caption: string, schema: Schema): Html {
  const rows = fieldsOf(schema, SCHEMAS).map(({ name, type, isRequired, schema: { description = '' } }) => [
    fieldName(name, isRequired ? type : `${type}, optional`),
    prose(description),
  ])
  return table(caption, ['Field', 'Meaning'], rows)
}

function fieldName(name: string, note: string): Html {
  return html`<code>${name}</code><br><span class="quiet">${note}</span>`
}

/** A wide table scrolls, by keyboard as well: for that it can have the focus. */
function table(caption: string, heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const body = rows.map(cells => html`<tr>${cells.map(cell => html`<td>${cell}</td>`)}</tr>\n`)
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${body}</tbody>
</table></div>
`
}

function code(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>\n`
}

function paragraph(text: string): Html {
  return html`<p>${prose(text)}</p>\n`
}

/** Text with code between backticks. */
function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}
