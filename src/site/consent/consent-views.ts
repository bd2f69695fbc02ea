import type { Scope } from '../../contract/operations.ts'
import { type Html, html, type Word } from '../html.ts'
import type { Words } from '../words/words.ts'

/** A program as its page names it; `host` has its metadata, and is absent if the operator registered it. */
type ShownProgram = { name: string; host?: string }

/** The content of a page about a program. */
type View = { title: Word; main: Html }

/** The page that asks which content a program may read, or for access to it. */
export type AccessView = {
  program: ShownProgram
  proof: string
  /** Whether the place is known, so that only access to it is missing. */
  hasPlace: boolean
  /** The address that signs people in; absent if the workspace offers none. */
  signIn?: string
  /** Whether the last entry opened nothing. */
  isWrong: boolean
}

export function accessView(
  { program, proof, hasPlace, signIn, isWrong }: AccessView,
  { consent, signin }: Words,
): View {
  const ask = hasPlace ? (signIn === undefined ? consent.needsLink : consent.needsAccess) : consent.which
  return {
    title: consent.connect({ program: titleOf(program) }),
    main: html`<h1 dir="auto">${consent.connect({ program: titleOf(program) })}</h1>
<p>${describeProgram(program, consent)}</p>
${isWrong && html`<p role="alert"><strong>${consent.wrong}</strong></p>\n`}<p>${ask}</p>
${signIn !== undefined && html`<p><a class="primary" href="${signIn}">${signin.signIn}</a></p>\n`}<form class="consent" method="post">
<input type="hidden" name="proof" value="${proof}">
<label>${hasPlace ? consent.link : consent.place} <input name="place" maxlength="500" autocomplete="off" spellcheck="false"></label>
<p><button class="primary" name="action" value="open">${consent.next}</button>
<button name="action" value="cancel">${consent.cancel}</button></p>
</form>`,
  }
}

/** The page that asks a person to allow a program to read. */
export type AllowView = {
  program: ShownProgram
  proof: string
  /** The name of the guide; absent for a workspace. */
  guide?: string
  workspace: string
  /** The names of the projects, if the person may not see all of the workspace. */
  projects?: readonly string[]
  scopes: readonly Scope[]
  /** The person or the share link. */
  consenter: { isPerson: boolean; name?: string | undefined }
  expiresAt: Date
  /** The address that signs the person in again, if the connection may then last longer. */
  signInAgain?: string
  returnAddress: string
}

export function allowView(view: AllowView, words: Words): View {
  const { consent } = words
  const { program, proof, guide, workspace, projects, scopes, consenter, expiresAt, signInAgain, returnAddress } = view
  const content = guide ?? consent.workspace({ name: workspace })
  const title = consent.question({ program: titleOf(program), content: `${content}` })
  const rows: [Word, Html][] = [
    [consent.program, describeProgram(program, consent)],
    ...(projects ? [row(consent.projects, html`<bdi>${projects.join(', ')}</bdi>`)] : []),
    [consent.reads, html`${readable(scopes, consent)}`],
    [consent.you, html`<bdi>${consenterName(consenter, consent)}</bdi>`],
    [
      consent.until,
      html`${words.day(expiresAt)}${signInAgain !== undefined && html` – <a href="${signInAgain}">${consent.signInAgain}</a>`}`,
    ],
    [consent.returns, html`<bdi>${returnPlace(returnAddress)}</bdi>`],
  ]
  return {
    title,
    main: html`<h1 dir="auto">${title}</h1>
<dl class="consent-facts">
${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>
<p>${consent.changesNothing}</p>
<form class="consent" method="post">
<input type="hidden" name="proof" value="${proof}">
<p><button class="primary" name="action" value="allow">${consent.allow}</button>
<button name="action" value="cancel">${consent.cancel}</button></p>
</form>`,
  }
}

/** The name with the host, because anyone may choose any name. */
function titleOf({ name, host }: ShownProgram): string {
  return host === undefined || host === name ? name : `${name} (${host})`
}

function consenterName({ isPerson, name }: AllowView['consenter'], consent: Words['consent']): Word {
  if (isPerson) return name ?? '–'
  return name === undefined ? consent.linkHolder : consent.linkHolderOf({ name })
}

function row(name: Word, value: Html): [Word, Html] {
  return [name, value]
}

/** The name of a program with its origin. */
function describeProgram({ name, host }: ShownProgram, consent: Words['consent']): Html {
  return html`<bdi>${name}</bdi> – ${host === undefined ? consent.registered : consent.ofHost({ host })}`
}

/** The host to which the browser returns, or the scheme of a program on this computer. */
function returnPlace(address: string): string {
  const { protocol, host } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

function readable(scopes: readonly Scope[], { scopeNames }: Words['consent']): Html {
  return html`${scopes.map((scope, at) => html`${at > 0 && ', '}${scopeNames[scope]}`)}`
}
