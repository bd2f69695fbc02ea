import { pluralize } from '#platform/base/text.ts'
import type { OutgoingFetch } from '#platform/outgoing/outgoing-fetch.ts'
import { protocolOf } from '../program/git-problem.ts'
import { webPlace } from '../repository/remote.ts'
import { explanation, type SourceState } from './source-state.ts'

/** A status of a commit, in the words that both hosts use. */
type Status = { result: 'success' | 'failure' | 'error'; context: string; description: string }

type StatusRequest = { address: string; headers: Record<string, string>; body: object }

/**
 * Shows the result of a pull at its commit on GitHub or GitLab: the number of findings and the first one. Does nothing
 * for other hosts, and if no commit was reached.
 *
 * @returns the reason if the host refuses it
 * @throws {OutgoingError} if the host cannot be asked
 */
export async function postCommitStatus(
  fetch: OutgoingFetch,
  state: SourceState,
  token: string,
): Promise<string | undefined> {
  const commit = state.failure ? state.failure.commit : state.commit
  // A token may have a user name before it, which these APIs do not take.
  const request = commit && statusRequest(state.url, commit.hash, statusOf(state), token.replace(/^[^:]*:/, ''))
  if (!request) return undefined
  const { address, headers, body } = request
  const allHeaders = { ...headers, 'content-type': 'application/json' }
  const { ok, status } = await fetch(address, { method: 'POST', headers: allHeaders, body: JSON.stringify(body) })
  return ok ? undefined : `${new URL(address).host} answered ${status}; give a token that may write commit statuses`
}

/** The words for the result of a pull: its failure, its findings, or what it has published. */
function statusOf(state: SourceState): Status {
  const { failure, errors, warnings, findings, workspace, projects } = state
  const context = workspace === null ? 'housestyle' : `housestyle/${workspace}`
  if (failure) return { result: 'error', context, description: failure.message }
  const counts = `${pluralize(errors, 'error')}, ${pluralize(warnings, 'warning')}`
  if (findings.length > 0)
    return { result: errors > 0 ? 'failure' : 'success', context, description: `${counts}: ${explanation(state)}` }
  const revisions = projects.flatMap(({ project, revision }) => (revision === null ? [] : `${project} ${revision}`))
  const published = revisions.length === 0 ? 'imported' : `published: ${revisions.join(', ')}`
  return { result: 'success', context, description: `No findings; ${published}` }
}

/** The request that sets a status; undefined for hosts other than GitHub and GitLab. */
function statusRequest(url: string, hash: string, status: Status, token: string): StatusRequest | undefined {
  const { host, path } = webPlace(url)
  const origin = `${protocolOf(url) === 'http' ? 'http' : 'https'}://${host}`
  const { result: state, context, description } = status
  if (/^github\./.test(host))
    return {
      address: `${host === 'github.com' ? 'https://api.github.com' : `${origin}/api/v3`}/repos/${path}/statuses/${hash}`,
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
      body: { state, context, description: shorten(description, MAX_GITHUB) },
    }
  if (/^gitlab\./.test(host))
    return {
      address: `${origin}/api/v4/projects/${encodeURIComponent(path)}/statuses/${hash}`,
      headers: { 'private-token': token },
      body: {
        state: state === 'success' ? 'success' : 'failed',
        name: context,
        description: shorten(description, MAX_GITLAB),
      },
    }
  return undefined
}

/** https://docs.github.com/rest/commits/statuses and https://docs.gitlab.com/api/commits/ */
const MAX_GITHUB = 140
const MAX_GITLAB = 255

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
