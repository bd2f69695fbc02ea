import { starterFiles } from '../intake/starter/starter.ts'
import { type Html, html } from '../site/html.ts'
import { API_ROOTS, type EditorSource } from './editor-config.ts'

/** The content of the page that adds a guide to the repository of an editor, with the data of its script `new.js`. */
export function newGuide(source: EditorSource): Html {
  const reason = obstacle(source)
  return html`<main class="new-guide"><h1>New guide</h1>
${reason ?? form(source)}</main>
`
}

/** Why the repository of an editor cannot get a guide this way, and what to do instead. */
function obstacle({ forge, isReviewed, projects }: EditorSource): Html | undefined {
  const byHand = html`make the folder with <code>housestyle init</code>`
  if (!forge) return html`<p>This editor works on a folder: ${byHand} there.</p>\n`
  if (isReviewed)
    return html`<p>This repository takes changes only after a review: ${byHand}, and propose it as any other change.</p>\n`
  if (projects.some(({ folder }) => folder === ''))
    return html`<p>This repository is one guide. Move its files into a folder of their own, and ${byHand} next to it.</p>\n`
  return undefined
}

function form({ workspace, projects, forge }: EditorSource): Html | undefined {
  if (!forge) return undefined
  const { 'workspace.yaml': _, ...files } = starterFiles('{name}', '{id}')
  const { name, origin, repo, branch, path } = forge
  const api = name === 'github' && origin === 'https://github.com' ? 'https://api.github.com' : API_ROOTS[name](origin)
  const data = { workspace, taken: projects.map(({ id }) => id), host: name, api, repo, branch, path, files }
  return html`<p>A folder with a first page, colours, type and a mark, as one commit to ${repo}, in your name.</p>
<p class="sign-in" hidden>First <a href="./" target="_blank">sign in with the editor</a>. Then come back to this page.</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<form hidden data-new="${JSON.stringify(data)}">
<label>Name <input name="name" required maxlength="60" pattern="[\\p{L}\\p{N}]+( [\\p{L}\\p{N}]+)*" title="Letters, digits and single spaces" autocomplete="off"></label>
<label>Address: /${workspace}/… <input name="id" required maxlength="63" pattern="[a-z0-9][a-z0-9\\-]*" title="Small letters, digits and hyphens" autocomplete="off" spellcheck="false"></label>
<fieldset><legend>Who may read it once it is published</legend>
<label><input type="radio" name="visibility" value="private" checked> People with access</label>
<label><input type="radio" name="visibility" value="public"> Everyone</label></fieldset>
<button>Make the guide</button>
</form>
<p class="outcome" role="status" tabindex="-1"></p>
`
}
