import { inSteps } from '../../base/steps.ts'
import type { Addresses } from '../../serving/addresses.ts'
import type { WorkspaceState } from '../../serving/pointers.ts'
import { FOR_EVERYONE } from '../../serving/publications.ts'
import type { Representation } from '../../serving/response-cache.ts'
import type { Assets } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { htmlDocument, pageType } from '../layout/document.ts'

type WorkspaceParts = { assets: Assets; paths: Addresses; publicUrl: string }

/** The page of a workspace: its public projects. */
export async function workspacePage(
  state: WorkspaceState,
  { assets, paths, publicUrl }: WorkspaceParts,
): Promise<Representation> {
  const body = html`<main id="Content" class="alone">
<h1>${state.name}</h1>
${await projectCards(state.open, paths)}
</main>`
  const more = html`<link rel="canonical" href="${publicUrl}/${state.id}">\n${sheetLink(assets)}`
  return {
    bytes: htmlDocument(assets, { title: state.name, more }, body),
    type: pageType(assets),
    about: FOR_EVERYONE,
  }
}

/** The style sheet of pages that list projects. */
export function sheetLink(assets: Assets): Html {
  return html`<link rel="stylesheet" href="${assets.path('page.css')}">\n`
}

/** Links to projects that everyone may see. */
export async function projectCards(open: WorkspaceState['open'], paths: Addresses): Promise<Html> {
  const cards = await inSteps(
    open,
    CARDS_AT_ONCE,
    record => html`<li><a href="${paths.project(record)}">${record.published.name}</a></li>\n`,
  )
  return html`<ul class="cards">
${cards}</ul>`
}

const CARDS_AT_ONCE = 500
