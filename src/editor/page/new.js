// Adds a folder with the starter to the repository, as one commit with the person's own rights at the host.
{
  const form = document.querySelector('form[data-new]')
  const outcome = document.querySelector('.outcome')

  const { host } = JSON.parse(form?.dataset.new ?? '{}')

  // The token with which the editor is signed in at this host.
  const token = () => {
    const user = JSON.parse(localStorage.getItem('sveltia-cms.user') ?? '{}')
    return user?.backendName === host ? user.token : undefined
  }
  const showForm = () => {
    form.hidden = !token()
    document.querySelector('.sign-in').hidden = !form.hidden
  }

  const start = ({ workspace, taken, api, repo, branch, path, files }) => {
    const { name, id } = form.elements
    let isOwnId = false
    id.addEventListener('input', () => {
      isOwnId = true
    })
    form.addEventListener('input', () => {
      const plain = name.value.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()
      if (!isOwnId) id.value = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
      id.setCustomValidity(taken.includes(id.value) ? 'A guide has this address already.' : '')
    })
    form.addEventListener('submit', async event => {
      event.preventDefault()
      const button = form.querySelector('button')
      button.disabled = true
      say('Making the guide …')
      try {
        const values = { name: name.value, id: id.value }
        const folder = [path, id.value].filter(Boolean).join('/')
        const written = Object.entries(files).map(([file, text]) => ({
          path: `${folder}/${file}`,
          text: text
            .replace(/\{(name|id)\}/g, (_, key) => values[key])
            .replace(/^visibility: private$/m, `visibility: ${form.elements.visibility.value}`),
        }))
        await COMMITS[host]({ api, repo, branch, folder, files: written, message: `Add the guide ${name.value}` })
        form.hidden = true
        say(`${folder} is in the repository. The service reads it within a few minutes.`)
        const home = location.pathname.endsWith(`/${workspace}/-/edit/new.html`) ? '../..' : `../../${workspace}`
        const link = Object.assign(document.createElement('a'), {
          href: `${home}/-/manage`,
          textContent: 'Your guides',
        })
        outcome.append(' ', link)
      } catch (error) {
        say(`The guide was not made: ${error.message}`)
      }
      button.disabled = false
      outcome.focus()
    })
  }

  const say = text => {
    outcome.textContent = text
  }

  const send = async (address, body) => {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (reply.status === 401) {
      document.querySelector('.sign-in').hidden = false
      throw new Error('your sign-in at the host has ended. Sign in again, then try again: the form keeps its words.')
    }
    const answer = await reply.json().catch(() => ({}))
    const problem = reply.ok ? answer.errors?.[0]?.message : (answer.message ?? `the host answered ${reply.status}`)
    if (problem) throw new Error(problem)
    return answer
  }

  const base64 = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

  /* A commit that fails if the folder exists, by kind of host. */
  const COMMITS = {
    github: async ({ api, repo, branch, folder, files, message }) => {
      const [owner, name] = repo.split('/')
      const query = `query($owner: String!, $name: String!, $branch: String!, $folder: String!) {
        repository(owner: $owner, name: $name) { ref(qualifiedName: $branch) { target { oid } } object(expression: $folder) { oid } } }`
      const variables = { owner, name, branch: `refs/heads/${branch}`, folder: `${branch}:${folder}` }
      const { repository } = (await send(`${api}/graphql`, { query, variables })).data
      if (!repository?.ref) throw new Error(`you may not read the branch ${branch} of ${repo}.`)
      if (repository.object) throw new Error(`the repository already has ${folder}. Choose another address.`)
      const input = {
        branch: { repositoryNameWithOwner: repo, branchName: branch },
        expectedHeadOid: repository.ref.target.oid,
        message: { headline: message },
        fileChanges: { additions: files.map(({ path, text }) => ({ path, contents: base64(text) })) },
      }
      const mutation = `mutation($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { oid } } }`
      await send(`${api}/graphql`, { query: mutation, variables: { input } })
    },
    gitlab: ({ api, repo, branch, files, message }) =>
      send(`${api}/projects/${encodeURIComponent(repo)}/repository/commits`, {
        branch,
        commit_message: message,
        actions: files.map(({ path, text }) => ({ action: 'create', file_path: path, content: text })),
      }),
    gitea: ({ api, repo, branch, files, message }) =>
      send(`${api}/repos/${repo}/contents`, {
        branch,
        message,
        files: files.map(({ path, text }) => ({ operation: 'create', path, content: base64(text) })),
      }),
  }

  document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  if (form) {
    start(JSON.parse(form.dataset.new))
    showForm()
    window.addEventListener('storage', showForm)
  }
}
