import type { IssuedToken } from '../access/token/issue.ts'
import type { Finding } from '../brand/finding.ts'
import type { Running } from '../compose.ts'
import type { PreviewEvent, PreviewRead } from '../publishing/preview/preview.ts'
import { changedThings } from './changed-things.ts'
import { type Io, jsonLine, paint, visible } from './io.ts'
import { trialLines } from './listening.ts'
import { findingLine, findingSummary, hasErrors } from './reading.ts'

/** Says what `dev` does, each thing once. */
export type Report = {
  listening: (running: Running, addresses: string) => void
  token: (token: IssuedToken, running: Running) => void
  /** What became of the folder; of the first time, people are told only what is wrong. */
  news: (news: PreviewEvent, isFirst: boolean) => void
}

/** For people, or as a line of JSON for each event. */
export function reportFor(io: Io, isJson: boolean): Report {
  return isJson ? jsonReport(io, changesOf()) : textReport(io, changesOf())
}

/** What everyone is told while the folder is away. */
export const FOLDER_GONE = 'the folder is gone; what was served is served on until it is back'

type Changes = { isBack: boolean; added: Finding[]; fixed: Finding[] }
type ChangesOf = (news: PreviewEvent) => Changes

/** Compares news with those before. A finding that only moved to another line is the same one. */
function changesOf(): ChangesOf {
  let known: readonly Finding[] = []
  let wasGone = false
  return news => {
    const isBack = wasGone && news.kind !== 'gone'
    wasGone = news.kind === 'gone'
    if (news.kind !== 'read') return { isBack, added: [], fixed: [] }
    const changes = { isBack, added: without(news.findings, known), fixed: without(known, news.findings) }
    known = news.findings
    return changes
  }
}

function without(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const keys = others.map(keyOf)
  return findings.filter(finding => {
    const at = keys.indexOf(keyOf(finding))
    if (at !== -1) keys.splice(at, 1)
    return at === -1
  })
}

function keyOf({ project, path, rule, message }: Finding): string {
  return JSON.stringify([project, path, rule, message])
}

function jsonReport(io: Io, changesSince: ChangesOf): Report {
  const print = (event: string, value: object) => io.out(`${jsonLine({ event, ...value })}\n`)
  return {
    listening: ({ url, baseUrl }) => print('listening', { url, base_url: baseUrl }),
    token: token => print('token', token),
    news: news => {
      const { isBack, added, fixed } = changesSince(news)
      if (isBack) print('back', {})
      if (news.kind === 'gone') print('gone', {})
      if (news.kind === 'failed') print('failed', { message: news.message })
      if (news.kind !== 'read') return
      const { published, removed, findings, milliseconds } = news
      for (const publication of published) print('published', { ...publication, milliseconds })
      for (const place of removed) print('removed', place)
      if (added.length + fixed.length > 0) print('findings', { findings })
    },
  }
}

function textReport(io: Io, changesSince: ChangesOf): Report {
  const tell = (text: string) => io.err(`${text}\n`)
  const places = placesOf()
  let url = ''
  return {
    listening: (running, addresses) => {
      url = running.url
      io.out(addresses)
    },
    token: (token, { baseUrl }) => io.out(trialLines(token, baseUrl, 'a day')),
    news: (news, isFirst) => {
      const { isBack, added, fixed } = changesSince(news)
      if (isBack) tell('the folder is back')
      if (news.kind === 'gone') tell(FOLDER_GONE)
      if (news.kind === 'failed') tell(`cannot read the folder: ${visible(news.message)}`)
      if (news.kind === 'read') {
        const appeared = places(news)
        if (!isFirst) for (const place of appeared) io.out(`${place}  ${url}/${place}\n`)
        if (!isFirst) for (const line of publicationLines(news, io)) io.out(`${line}\n`)
        tellFindings(news.findings, added, fixed, io)
      }
      if (isFirst) tell(`\nOpen ${siteAddress(news, url)} in a browser: it shows what you save, as you save it.`)
    },
  }
}

/** Gives the projects that news bring, as `workspace/project`, where they were not served before. */
function placesOf(): (news: PreviewRead) => string[] {
  const served = new Set<string>()
  return ({ published, removed }) => {
    const appeared = published.map(placeName).filter(name => !served.has(name))
    for (const name of appeared) served.add(name)
    for (const place of removed) served.delete(placeName(place))
    return appeared
  }
}

function placeName({ workspace, project }: { workspace: string; project: string }): string {
  return `${workspace}/${project}`
}

/** Where to begin: the one project that there is, else the list of all. */
function siteAddress(news: PreviewEvent, url: string): string {
  const [first, ...others] = news.kind === 'read' ? news.published : []
  return first && others.length === 0 ? `${url}/${placeName(first)}` : `${url}/`
}

function publicationLines({ published, removed, milliseconds }: PreviewRead, io: Io): string[] {
  const lines = published.map(({ workspace, project, revision, ...changes }) => {
    const things = changedThings(changes, io.hasColor.out)
    const more = things.length > MAX_THINGS ? [`… and ${things.length - MAX_THINGS} more`] : []
    const what = things.length > 0 ? [...things.slice(0, MAX_THINGS), ...more].join(', ') : 'name or order'
    return `${workspace}/${project} revision ${revision}: ${what} (${milliseconds} ms)`
  })
  return [...lines, ...removed.map(({ workspace, project }) => `${workspace}/${project}: gone, and served no longer`)]
}

/** More than these are counted; `--json` has them all. */
const MAX_THINGS = 6

function tellFindings(
  findings: readonly Finding[],
  added: readonly Finding[],
  fixed: readonly Finding[],
  io: Io,
): void {
  for (const finding of fixed) io.err(`${paint(io.hasColor.err, 'green', 'fixed')} ${findingLine(finding, false)}`)
  for (const finding of added) io.err(`+ ${findingLine(finding, io.hasColor.err)}`)
  if (added.length + fixed.length === 0) return
  const served = hasErrors(findings) ? '; a project with an error is served as it was' : ''
  io.err(`${findingSummary(findings)}${served}\n`)
}
