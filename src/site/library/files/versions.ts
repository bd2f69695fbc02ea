import { isExpired } from '#brand/file.ts'
import { libraryOf } from '#serving/publications/library.ts'
import type { Representation } from '#serving/replies/response-cache.ts'
import { type Guide, pathBelow } from '../../guide/guide.ts'
import { type Html, html } from '../../html.ts'
import { guideText } from '../../texts/agent-texts.ts'
import { filePath, shownGroup } from './file-list.ts'

/**
 * The versions of all files by hash, for `versions.js`: for a current one the address of its page, for an old one the
 * last revision that had it, the address of today's file at its path, and the last day of rights that have ended. An
 * address is empty if there is no such page. Names of old files are left out, because not all readers may see them.
 */
type Versions = {
  current: Readonly<Record<string, string>>
  old: Readonly<Record<string, readonly [revision: number, address: string, lastDay?: string]>>
}

/** `files/versions.json`; in a copy a script, because a page opened from a folder cannot read other files. */
export async function versionsView(guide: Guide): Promise<Representation> {
  const text = JSON.stringify(await versionsOf(guide))
  return guide.site.copy
    ? guideText(guide, `housestyleVersions(${text})\n`, 'text/javascript')
    : guideText(guide, text, 'application/json')
}

async function versionsOf(guide: Guide): Promise<Versions> {
  const { site, publication, words } = guide
  const files = await publication.content.files()
  const library = await libraryOf(publication.content)
  const today = publication.content.today()
  // In a copy, only absolute addresses become references.
  const linked = site.copy ? { ...guide, site: { ...site, paths: site.urls } } : guide
  const addressOf = (path: string) => {
    const file = files.get(path)
    const isShown = file && !isExpired(file, today) && shownGroup(guide, library, file)
    return isShown ? filePath(linked, library, file) : ''
  }
  const current: Record<string, string> = {}
  const old: Record<string, readonly [number, string, string?]> = {}
  for (const { hash, path, revision } of await site.oldFiles(publication, { of: 'known' }))
    old[hash] = [revision, addressOf(path)]
  for (const { hash, path, until } of files.values()) {
    // The first file with a page gives the address, if several files have the same bytes.
    if (until === undefined || !isExpired({ until }, today)) current[hash] ||= addressOf(path)
    else old[hash] = [publication.published.revision, '', words.day(new Date(until))]
  }
  return { current, old }
}

/** A form whose script says whether files are current. Without the script, the section names the command that does. */
export function copyCheck(guide: Guide): Html {
  const { words, publication } = guide
  const { check } = words.files
  const { workspace, project } = publication.record
  const { current, unknown, large, failed, today } = check
  const old = check.old({ revision: '{revision}' })
  const expired = check.expired({ day: '{day}' })
  const said = Object.entries({ current, old, expired, unknown, large, failed, today })
  return html`<section class="check" aria-labelledby="Check">
<h2 id="Check">${check.title}</h2>
<div><p class="command">${check.command({ command: html`<code>housestyle lint file.svg --brand ${workspace}/${project}</code>` })}</p>
<form action="${pathBelow(guide, 'files/versions.json')}" data-max="${MAX_BYTES}"${said.map(([name, word]) => html` data-${name}="${word}"`)}>
<label><b>${check.choose}</b> <span class="quiet">${check.how({ size: words.bytes(MAX_BYTES) })}</span>
<input type="file" multiple></label>
</form>
<ul aria-live="polite"></ul></div>
</section>`
}

const MAX_BYTES = 100_000_000
