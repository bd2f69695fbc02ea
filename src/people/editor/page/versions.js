/* The dialogue for a file that somebody else has changed or deleted meanwhile. */
{
  const make = (name, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(name), attributes)
    element.append(...children)
    return element
  }

  /** Opens a dialogue with the focus on its heading. `decide` throws an error for people if the text is not a valid file. */
  const open = ({ title, text, parts, action, decide }) => {
    const problem = make('p', { role: 'alert' })
    const heading = make('h2', { tabIndex: -1, id: 'versions-title', textContent: title })
    const submit = make('button', { type: 'submit', textContent: action })
    const cancel = make('button', { type: 'button', textContent: 'Go on editing', onclick: () => dialog.close() })
    const actions = make('div', { className: 'actions' }, submit, cancel)
    const onsubmit = async event => {
      event.preventDefault()
      try {
        await decide(new FormData(form))
        dialog.close()
      } catch (error) {
        problem.textContent = `${error.message}. Nothing was saved.`
      }
    }
    const form = make('form', { onsubmit }, heading, make('p', { textContent: text }), ...parts, problem, actions)
    // The editor behind has keys of its own.
    const onkeydown = event => event.stopPropagation()
    const dialog = make('dialog', { className: 'versions', onkeydown, onclose: () => dialog.remove() }, form)
    dialog.setAttribute('aria-labelledby', heading.id)
    document.body.append(dialog)
    dialog.showModal()
    for (const shown of dialog.querySelectorAll('pre')) shown.querySelector('ins')?.scrollIntoView({ block: 'center' })
    dialog.scrollTop = 0
    heading.focus()
  }

  /** A version as text, with its changes marked. */
  const version = (title, passages, side) => {
    const text = passages.map(passage =>
      passage[side] === passage.base ? passage.base : make('ins', { textContent: passage[side] }),
    )
    const shown = make('pre', { tabIndex: 0 }, ...text)
    shown.setAttribute('role', 'region')
    shown.setAttribute('aria-label', title)
    return make('section', {}, make('h3', { textContent: title }), shown)
  }

  const choice = (passage, at, { theirs, isPage }) => {
    // Two new entries of a list are valid one after the other; two values of one key are not.
    const canKeepBoth = isPage || passage.base === ''
    const option = (value, label, text) => {
      const radio = make('input', { type: 'radio', name: `${at}`, value, required: true, checked: value === 'both' })
      return make('label', {}, radio, ` ${label}`, ...(text ? [make('q', { textContent: text.trim() })] : []))
    }
    return make(
      'fieldset',
      {},
      make('legend', { textContent: 'Both of you changed this' }),
      ...(canKeepBoth ? [option('both', 'Keep both, one after the other')] : []),
      option('theirs', `${theirs}: `, passage.theirs),
      option('mine', 'Yours: ', passage.mine),
    )
  }

  /** The text with the choices of a form: the merged passages, and what was chosen for all others. */
  const chosenText = (passages, data) =>
    passages
      .map((passage, at) => {
        const merged = window.housestyleFormats.versions.mergedText(passage)
        if (merged !== undefined) return merged
        const { theirs, mine } = passage
        const kept = data.get(`${at}`)
        return kept === 'both' ? `${theirs}${/\s$/.test(theirs) ? '' : '\n'}${mine}` : passage[kept]
      })
      .join('')

  const showVersions = ({ passages, who = 'Somebody else', isPage, save }) => {
    const theirs = who === 'Somebody else' ? 'The other version' : `${who}’s version`
    const choices = passages.flatMap((passage, at) =>
      window.housestyleFormats.versions.mergedText(passage) === undefined
        ? [choice(passage, at, { theirs, isPage })]
        : [],
    )
    open({
      title: `${who} changed this while you were editing`,
      text: choices.length
        ? 'Nothing is saved yet. Choose what to keep where both of you changed the same place; all other changes are kept.'
        : 'Nothing is saved yet. You changed different places, so the changes of both can be kept.',
      parts: [
        make(
          'div',
          { className: 'sides' },
          version(theirs, passages, 'theirs'),
          version('Your version', passages, 'mine'),
        ),
        ...choices,
      ],
      action: choices.length ? 'Save this' : 'Save both changes',
      decide: data => save(chosenText(passages, data)),
    })
  }

  const showDeleted = ({ mine, save }) =>
    open({
      title: 'Somebody deleted this file while you were editing',
      text: 'Nothing is saved yet. You can create the file again with your text, or copy the text and go on.',
      parts: [version('Your version', [{ base: mine, mine }], 'mine')],
      action: 'Create it again',
      decide: save,
    })

  window.housestyleDialog = { showVersions, showDeleted }
}
