/** The added, changed and removed tokens between two files of design tokens, as Markdown. */
export function tokenChanges(before, after) {
  const [old, now] = [tokensOf(before ?? '{}'), tokensOf(after)]
  const lines = []
  for (const [name, value] of now) {
    const earlier = old.get(name)
    if (earlier === undefined) lines.push(`- added ${code(name)}: ${code(value)}`)
    else if (earlier !== value) lines.push(`- changed ${code(name)}: ${code(earlier)} → ${code(value)}`)
  }
  for (const [name, value] of old) if (!now.has(name)) lines.push(`- removed ${code(name)}: ${code(value)}`)
  if (lines.length === 0) return 'No token has changed its value.'
  const rest = lines.length - MAX_LINES
  return [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}

const MAX_LINES = 200

/** The tokens of a file by path, such as `color.ink`, each with its value as text. */
function tokensOf(text) {
  const tokens = new Map()
  const walk = (group, path) => {
    if (typeof group !== 'object' || group === null) return
    if (Object.hasOwn(group, '$value')) tokens.set(path.join('.'), valueText(group.$value))
    else for (const [name, each] of Object.entries(group)) if (!name.startsWith('$')) walk(each, [...path, name])
  }
  walk(parseOrEmpty(text), [])
  return tokens
}

/** A file that was edited by hand may be invalid. */
function parseOrEmpty(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

function valueText(value) {
  const text = typeof value === 'string' ? value : (value?.hex ?? JSON.stringify(value))
  return String(text).slice(0, MAX_VALUE)
}

const MAX_VALUE = 300

/** A code span that no name or value can end. */
function code(text) {
  return `\`${text.replace(/[`\s]+/g, ' ')}\``
}
