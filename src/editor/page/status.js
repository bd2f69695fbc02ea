// Says when a saved change is live, from the events of the service. A folder on a web host has none: nothing is shown.
{
  const send = window.fetch
  let events
  const line = document.createElement('div')
  line.role = 'status'
  document.addEventListener('DOMContentLoaded', () => document.body.append(line))

  window.fetch = async (address, options = {}) => {
    const reply = await send.call(window, address, options)
    const read = reply.ok && SAVES.find(({ method, url }) => method === options.method && url.test(address))?.read
    if (read) {
      const copy = reply.clone()
      copy
        .json()
        .then(answer => follow(read(answer, options.body)))
        .catch(() => undefined)
    }
    return reply
  }

  /* The requests by which the library saves and merges. Their replies name the commit, and the requests its branch. */
  const SAVES = [
    {
      method: 'POST',
      url: /\/graphql$/,
      read: ({ data }, body) => {
        const commit = data?.createCommitOnBranch?.commit.oid
        return commit && { commit, branch: JSON.parse(body).variables.input.branch.branchName }
      },
    },
    {
      method: 'POST',
      url: /\/repository\/commits$/,
      read: ({ id }, body) => ({ commit: id, branch: JSON.parse(body).branch }),
    },
    { method: 'PUT', url: /\/pulls\/\d+\/merge$/, read: ({ sha }) => ({ commit: sha }) },
    {
      method: 'PUT',
      url: /\/merge_requests\/\d+\/merge$/,
      read: ({ squash_commit_sha: squashed, merge_commit_sha: merged }) => ({ commit: merged ?? squashed }),
    },
  ]

  const follow = saved => {
    if (!saved?.commit) return
    events?.close()
    events = new EventSource(`events?${new URLSearchParams(saved)}`)
    events.onmessage = ({ data }) => {
      const state = JSON.parse(data)
      if (state.state !== 'waiting') events.close()
      show(state)
    }
  }

  const show = ({ state, revision, publishedAt, address, message }) => {
    const time = publishedAt && new Date(publishedAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    const texts = {
      waiting: 'Saved. It will be live in about a minute.',
      review: 'Saved. It waits for review.',
      late: 'Saved, but not live yet. Reload the guide later.',
      refused: `Saved, but not published: ${message}`,
      live: `Live since ${time} as revision ${revision}.`,
    }
    line.textContent = texts[state]
    if (address) line.append(' ', guideLink(address))
    line.append(' ', closeButton())
    line.style.cssText = LOOK
  }

  const LOOK = `position: fixed; z-index: 9999; inset: auto 1rem 1rem auto; max-width: min(36rem, calc(100% - 2rem));
    padding: 0.75rem 1rem; border: 1px solid; border-radius: 0.5rem; font: 1rem/1.4 system-ui; color-scheme: light dark;
    color: CanvasText; background: Canvas`

  const guideLink = address => {
    const link = document.createElement('a')
    Object.assign(link, { href: address, target: '_blank', rel: 'noopener', textContent: 'Open the guide' })
    link.style.color = 'LinkText'
    return link
  }

  const closeButton = () => {
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', textContent: 'Close' })
    button.style.cssText = 'margin-inline-start: 0.5rem; padding: 0.25rem 0.75rem; font: inherit'
    button.addEventListener('click', () => {
      line.replaceChildren()
      line.style.cssText = ''
    })
    return button
  }
}
