import type { Ids } from '#brand/contract/route.ts'
import { starterFiles } from '#intake/starter/starter.ts'
import { type Reply, type Request, withHeaders } from '#platform/exchange/message.ts'
import { type Html, html } from '#site/html.ts'
import { introductionOf } from '#site/introduction.ts'
import { standalonePage } from '#site/pages/standalone-page.ts'
import { readerWords } from '#site/words/reader-words.ts'
import type { Words } from '#site/words/words.ts'
import type { Editor } from './context.ts'
import { API_ROOTS, type EditorSource } from './editor-config.ts'
import { hostsOf, scriptHash } from './editor-files.ts'

/** The page that adds a guide to the repository of an editor; undefined for everyone who cannot open that editor. */
export async function newGuideReply(
  { site, sourceFor }: Editor,
  request: Request,
  ids: Ids,
): Promise<Reply | undefined> {
  const source = await sourceFor(request, ids)
  if (!source) return undefined
  const words = readerWords(request)
  const digest = await scriptHash('new.js')
  const home = site.at(`/${source.workspace}`)
  const introduction = await introductionOf(site, source.workspace)
  const text = html`<p><a href="${home}/-/manage">${words.manage.people.guides}</a></p>
${obstacle(words, source) ?? form(words, source, home)}<script defer src="new.js" integrity="${digest}"></script>\n`
  const policies = { digests: [digest], connectTo: hostsOf(source) }
  const page = { title: words.manage.people.newGuide, text, lang: words.lang, introduction, policies }
  return withHeaders(standalonePage(site.assets, 200, page), ['X-Robots-Tag', 'noindex'])
}

/** Why the repository of an editor cannot get a guide this way, and what to do instead. */
function obstacle({ newGuide }: Words, { forge, isReviewed, projects }: EditorSource): Html | undefined {
  const { folder, reviewed, single } = newGuide.obstacles
  const isSingle = projects.some(project => project.folder === '')
  const reason = !forge ? folder : isReviewed ? reviewed : isSingle ? single : undefined
  return reason && html`<p>${reason({ command: html`<code>housestyle init</code>` })}</p>\n`
}

function form(words: Words, source: EditorSource, home: string): Html | undefined {
  const { newGuide } = words
  const { workspace, projects, forge } = source
  if (!forge) return undefined
  const { 'workspace.yaml': _, ...files } = starterFiles('{name}', '{id}')
  const { name, origin, repo, branch, path } = forge
  const api = name === 'github' && origin === 'https://github.com' ? 'https://api.github.com' : API_ROOTS[name](origin)
  const texts = Object.entries({ ...newGuide.outcomes, guides: words.manage.people.guides }).map(([key, word]) => [
    key,
    `${word}`,
  ])
  const place = { host: name, api, repo, branch, path, taken: projects.map(({ id }) => id) }
  const data = { ...place, files, manage: `${home}/-/manage`, words: Object.fromEntries(texts) }
  return html`<p>${newGuide.lead({ repo: html`<bdi>${repo}</bdi>` })}</p>
<p class="sign-in" hidden>${newGuide.signIn({ link: './' })}</p>
<noscript><p>${newGuide.script}</p></noscript>
<form hidden class="consent" data-new="${JSON.stringify(data)}">
<p><label>${words.changes.name} <input name="name" required maxlength="60" pattern="${NAME}" title="${newGuide.nameForm}" autocomplete="off"></label></p>
<p><label>${words.files.address} <span dir="ltr">/${workspace}/</span> <input name="id" dir="ltr" required maxlength="63" pattern="[a-z0-9][a-z0-9\\-]*" title="${newGuide.addressForm}" autocomplete="off" spellcheck="false"></label></p>
<p><label>${newGuide.readers} <select name="visibility"><option value="private">${newGuide.people}</option><option value="public">${newGuide.everyone}</option></select></label></p>
<p><button class="primary">${newGuide.make}</button></p>
</form>
<p class="outcome" role="status" tabindex="-1"></p>
`
}

/** Letters and marks that have no meaning in Markdown, YAML and SVG, where the starter has the name. */
const NAME = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} &'’.,!+–\\-]*"
