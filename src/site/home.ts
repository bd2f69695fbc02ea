import type { Reply } from '../exchange/message.ts'
import type { Pointers } from '../serving/pointers.ts'
import { html } from './html.ts'
import { pageReply } from './layout.ts'

/** The page at `/`: what this is, and the projects that everyone may see. */
export function homePage(pointers: Pointers): Reply {
  const projects = [...pointers.workspaces()].flatMap(({ published }) =>
    published.filter(record => record.published?.visibility === 'public'),
  )
  const items = projects.map(
    ({ workspace, project, published }) =>
      html`<li><a href="/${workspace}/${project}">${published?.name}</a> <span class="quiet">${workspace}</span></li>
`,
  )
  const main = html`<h1>Brand guidelines</h1>
<p>This service answers programs, people and agents from published brand guidelines. <a href="/docs">How to use its API</a>.</p>
<ul>
${items}</ul>`
  return pageReply('Brand guidelines', main, ['Cache-Control', 'no-store'])
}
