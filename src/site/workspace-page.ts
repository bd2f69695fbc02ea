import type { Addresses } from '../serving/addresses.ts'
import type { WorkspaceState } from '../serving/pointers.ts'
import type { Made } from '../serving/prepared.ts'
import type { Assets } from './assets.ts'
import { htmlDocument, pageType } from './document.ts'
import { type Html, html } from './html.ts'

type WorkspaceParts = { assets: Assets; paths: Addresses; publicUrl: string }

/** The page of a workspace: its public projects. */
export function workspacePage(state: WorkspaceState, { assets, paths, publicUrl }: WorkspaceParts): Made {
  const body = html`<main id="Content" class="alone">
<h1>${state.name}</h1>
${projectCards(state.published, paths)}
</main>`
  const more = html`<link rel="canonical" href="${publicUrl}/${state.id}">\n${sheetLink(assets)}`
  return {
    bytes: htmlDocument(assets, { title: state.name, more }, body),
    type: pageType(assets),
    about: ['Cache-Control', 'public, no-cache', 'Vary', 'Accept-Encoding'],
  }
}

/** The style sheet of pages that list projects. */
export function sheetLink(assets: Assets): Html {
  return html`<link rel="stylesheet" href="${assets.path('page.css')}">\n`
}

/** Links to the projects that everyone may see. */
export function projectCards(records: WorkspaceState['published'], paths: Addresses): Html {
  const cards = records.flatMap(record =>
    record.published?.visibility === 'public'
      ? [html`<li><a href="${paths.project(record)}">${record.published.name}</a></li>\n`]
      : [],
  )
  return html`<ul class="cards">\n${cards}</ul>`
}
