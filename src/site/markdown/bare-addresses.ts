import type { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import type { Processor } from 'unified'
import { EAST_ASIAN_MARK } from '#formats/markdown/unspaced-scripts.ts'

type Extension = ReturnType<typeof cjkFriendlyExtension>
type Construct = Extract<NonNullable<Extension['text']>[string], { tokenize: unknown }>
type Tokenize = Construct['tokenize']
type State = Parameters<Tokenize>[1]
type Code = Parameters<State>[0]

/**
 * Ends and begins bare addresses at Chinese and Japanese punctuation, which GFM treats as a part of them: the address in
 * `详见https://acme.test。` ends before the full stop. Replaces the constructs of GFM by ones that see no such marks.
 */
export function shorterAddresses(this: Processor): void {
  const data = this.data()
  const extensions = data.micromarkExtensions ?? []
  const text: Extension['text'] = {}
  for (const [code, written] of extensions.flatMap(extension => Object.entries(extension.text ?? {}))) {
    const addresses = [written ?? []].flat().filter(({ name = '' }) => /^(?:www|protocol)Autolink$/.test(name))
    if (addresses.length > 0) text[code] = addresses.map(betweenMarks)
  }
  data.micromarkExtensions = [...extensions, { text }]
}

/**
 * A construct of micromark that sees the start or end of the text (null) instead of punctuation. Each of its states is
 * wrapped, until it hands over to `ok` or `nok`; these get the actual character.
 */
function betweenMarks({ tokenize, previous, ...construct }: Construct): Construct {
  return {
    ...construct,
    previous(code) {
      return previous?.call(this, withoutMark(code)) ?? true
    },
    tokenize(effects, ok, nok) {
      let code: Code = null
      let isDone = false
      const unmarked =
        (state: State): State =>
        actual => {
          code = actual
          const next = state(withoutMark(actual))
          return isDone ? next : next && unmarked(next)
        }
      const after =
        (state: State): State =>
        () => {
          isDone = true
          return state(code)
        }
      const context = Object.create(this, { previous: { value: withoutMark(this.previous) } })
      return unmarked(tokenize.call(context, effects, after(ok), after(nok)))
    },
  }
}

function withoutMark(code: Code): Code {
  return code !== null && code > 0 && EAST_ASIAN_MARK.test(String.fromCodePoint(code)) ? null : code
}
