// Says when a saved change is live, from the events of the service. A folder on a web host has none: nothing is shown.
{
  const send = window.fetch
  let events
  const make = (tag, properties) => Object.assign(document.createElement(tag), properties)
  const line = make('div', { role: 'status', className: 'fate' })
  document.addEventListener('DOMContentLoaded', () => document.body.append(line))

  window.fetch = async (address, options = {}) => {
    const read = SAVES.find(save => isSave(save, address, options))?.read
    // What is said about an earlier save would be mistaken for the fate of this one.
    if (read) hide()
    const reply = await send.call(window, address, options)
    if (read && reply.ok) {
      const copy = reply.clone()
      copy
        .json()
        .then(answer => follow(read(answer, options.body)))
        .catch(() => undefined)
    }
    return reply
  }

  const isSave = ({ method, url, word = '' }, address, options) =>
    method === options.method && url.test(address) && `${options.body}`.includes(word)

  /*
   * The requests by which the library saves and merges. Their replies name the commit, and the requests its branch and
   * files.
   */
  const SAVES = [
    {
      method: 'POST',
      url: /\/graphql$/,
      word: 'createCommitOnBranch',
      read: ({ data }, body) => {
        const { branch, fileChanges } = JSON.parse(body).variables.input
        const { additions = [], deletions = [] } = fileChanges ?? {}
        const commit = data?.createCommitOnBranch?.commit.oid
        return { commit, branch: branch.branchName, paths: [...additions, ...deletions].map(({ path }) => path) }
      },
    },
    {
      method: 'POST',
      url: /\/repository\/commits$/,
      read: ({ id }, body) => {
        const { branch, actions = [] } = JSON.parse(body)
        return { commit: id, branch, paths: actions.map(({ file_path }) => file_path) }
      },
    },
    {
      method: 'POST',
      url: /\/api\/v1\/repos\/[^/]+\/[^/]+\/contents$/,
      read: ({ commit }, body) => {
        const { branch, files } = JSON.parse(body)
        return { commit: commit.sha, branch, paths: files.map(({ path }) => path) }
      },
    },
    { method: 'PUT', url: /\/pulls\/\d+\/merge$/, read: ({ sha }) => ({ commit: sha }) },
    {
      method: 'PUT',
      url: /\/merge_requests\/\d+\/merge$/,
      read: ({ squash_commit_sha: squashed, merge_commit_sha: merged }) => ({ commit: merged ?? squashed }),
    },
  ]

  const follow = ({ commit, branch, paths = [] }) => {
    if (!commit) return
    const query = [['commit', commit], ...(branch ? [['branch', branch]] : []), ...paths.map(path => ['path', path])]
    events = new EventSource(`events?${new URLSearchParams(query)}`)
    events.onmessage = ({ data }) => {
      const state = JSON.parse(data)
      if (state.state !== 'waiting') events.close()
      show(state)
    }
    events.onerror = async ({ target }) => {
      // The service answers nobody else; a web host still has the files.
      if (target.readyState !== EventSource.CLOSED || (await send('config.json')).ok) return
      if (target === events) show({ state: 'ended' })
    }
  }

  const show = ({ state, revision, publishedAt, address, message }) => {
    const time = publishedAt && new Date(publishedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    const texts = {
      waiting: 'Saved. It will be live in about a minute.',
      review: 'Saved. It waits for review.',
      ended: 'Saved. Your sign-in at the guide has ended: sign in there to see when the change is live.',
      late: 'Saved, but not live yet. Reload the guide later.',
      refused: `Saved, but not published: ${message}`,
      blocked: `Saved. It is not live yet because of an error in another file: ${message}`,
      live: `Live since ${time} as revision ${revision}.`,
    }
    const link = { href: address, target: '_blank', rel: 'noopener', textContent: 'Open the guide' }
    const close = make('button', { type: 'button', textContent: 'Close', onclick: hide })
    line.replaceChildren(texts[state], ' ', ...(address ? [make('a', link), ' '] : []), close)
    document.body.style.setProperty('--status-size', `${line.offsetHeight}px`)
  }

  const hide = () => {
    events?.close()
    line.replaceChildren()
  }
}
