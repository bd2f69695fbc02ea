// Adds a folder with the starter to the repository, as one commit with the person's own rights at the host.
{
  const form = document.querySelector('form[data-new]')
  const outcome = document.querySelector('.outcome')
  const signIn = document.querySelector('.sign-in')
  const { host, manage, words } = JSON.parse(form?.dataset.new ?? '{}')

  // The token with which the editor is signed in at this host.
  const token = () => {
    const user = JSON.parse(localStorage.getItem('sveltia-cms.user') ?? '{}')
    return user?.backendName === host ? user.token : undefined
  }
  const showForm = () => {
    form.hidden = !token()
    signIn.hidden = !form.hidden
  }

  const start = ({ taken, api, repo, branch, path, files }) => {
    const { name, id } = form.elements
    let isOwnId = false
    id.addEventListener('input', () => {
      isOwnId = true
    })
    form.addEventListener('input', () => {
      const plain = name.value.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()
      if (!isOwnId) id.value = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
      id.setCustomValidity(taken.includes(id.value) ? words.taken : '')
    })
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const button = form.querySelector('button')
      button.disabled = true
      signIn.hidden = true
      say('making')
      try {
        const values = { name: name.value, id: id.value }
        const folder = [path, id.value].filter(Boolean).join('/')
        const written = Object.entries(files).map(([file, text]) => ({
          path: `${folder}/${file}`,
          text: text
            .replace(/\{(name|id)\}/g, (_, key) => values[key])
            .replace(/^visibility: private$/m, `visibility: ${form.elements.visibility.value}`),
        }))
        const message = `Add the guide ${name.value}`
        const commit = await COMMITS[host]({ api, repo, branch, folder, files: written, message })
        form.hidden = true
        say('waiting')
        follow(
          new URLSearchParams([['commit', commit], ['branch', branch], ...written.map(each => ['path', each.path])]),
        )
      } catch (error) {
        if (!(error.message in words)) say('failed', error.message)
        else say(error.message)
        signIn.hidden = error.message !== 'ended'
      }
      button.disabled = false
      outcome.focus()
    })
  }

  // Says when the service shows the guide.
  const follow = query => {
    const events = new EventSource(`events?${query}`)
    events.onmessage = ({ data }) => {
      const { state, address, message } = JSON.parse(data)
      if (state !== 'waiting') events.close()
      say(state === 'blocked' ? 'refused' : state, message)
      if (state === 'waiting') return
      const [href, textContent] = address ? [address, words.open] : [manage, words.guides]
      outcome.append(' ', Object.assign(document.createElement('a'), { href, textContent }))
    }
  }

  const say = (word, detail = '') => {
    outcome.textContent = `${words[word]} ${detail}`.trim()
  }

  /* Sends a request to the host. Errors are named as their words, or have those of the host. */
  const send = async (address, body) => {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    if (!reply) throw new Error('offline')
    const answer = await reply.json().catch(() => ({}))
    const [error = {}] = answer.errors ?? []
    if (reply.status === 401) throw new Error('ended')
    if ([403, 404].includes(reply.status) || ['FORBIDDEN', 'NOT_FOUND'].includes(error.type)) throw new Error('denied')
    const problem = reply.ok ? error.message : (answer.message ?? `${reply.status}`)
    if (problem) throw new Error(/already exists/.test(problem) ? 'exists' : problem)
    return answer
  }

  const base64 = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

  /* Makes a commit, which fails if the folder exists, by kind of host; returns its hash. */
  const COMMITS = {
    github: async ({ api, repo, branch, folder, files, message }) => {
      const [owner, name] = repo.split('/')
      const query = `query($owner: String!, $name: String!, $branch: String!, $folder: String!) {
        repository(owner: $owner, name: $name) { ref(qualifiedName: $branch) { target { oid } } object(expression: $folder) { oid } } }`
      const variables = { owner, name, branch: `refs/heads/${branch}`, folder: `${branch}:${folder}` }
      const { repository } = (await send(`${api}/graphql`, { query, variables })).data
      if (!repository?.ref) throw new Error('denied')
      if (repository.object) throw new Error('exists')
      const input = {
        branch: { repositoryNameWithOwner: repo, branchName: branch },
        expectedHeadOid: repository.ref.target.oid,
        message: { headline: message },
        fileChanges: { additions: files.map(({ path, text }) => ({ path, contents: base64(text) })) },
      }
      const mutation = `mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`
      const { data } = await send(`${api}/graphql`, { query: mutation, variables: { input } })
      return data.createCommitOnBranch.commit.oid
    },
    gitlab: async ({ api, repo, branch, files, message }) => {
      const actions = files.map(({ path, text }) => ({ action: 'create', file_path: path, content: text }))
      const body = { branch, commit_message: message, actions }
      return (await send(`${api}/projects/${encodeURIComponent(repo)}/repository/commits`, body)).id
    },
    gitea: async ({ api, repo, branch, files, message }) => {
      const added = files.map(({ path, text }) => ({ operation: 'create', path, content: base64(text) }))
      return (await send(`${api}/repos/${repo}/contents`, { branch, message, files: added })).commit.sha
    },
  }

  if (form) {
    start(JSON.parse(form.dataset.new))
    showForm()
    signIn.querySelector('a').target = '_blank'
    window.addEventListener('storage', showForm)
  }
}
