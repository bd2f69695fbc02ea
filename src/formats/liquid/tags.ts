import {
  type Context,
  type Emitter,
  evalToken,
  ForTag,
  Hash,
  type Liquid,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
} from 'liquidjs'

/** Makes the tag that includes a file with parameters, as Jekyll has it. It stays as it is if there is no such file. */
export function includeTag(partOf: (name: string) => Template[] | undefined) {
  let depth = 0
  return class extends Tag {
    readonly #name: Template[]
    readonly #parameters: Hash

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
      super(token, remaining, liquid)
      this.#name = parser.parseTokens([...this.tokenizer.readFileNameTemplate(liquid.options)])
      this.#parameters = new Hash(this.tokenizer, '=')
    }

    *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const { renderer } = this.liquid
      const name = String(yield renderer.renderTemplates(this.#name, context))
      const templates = partOf(name.replace(/^["']|["']$/g, ''))
      if (templates === undefined) return emitter.write(this.token.getText())
      if (depth === MAX_INCLUDES) throw new RangeError('files include each other')
      depth += 1
      try {
        context.push({ include: yield this.#parameters.render(context) })
        yield renderer.renderTemplates(templates, context, emitter)
      } finally {
        context.pop()
        depth -= 1
      }
    }
  }
}

const MAX_INCLUDES = 20

/** The tag around text that is no template: it stays as it is, for those who read the text later. */
export const rawTag = class extends Tag {
  readonly #source: string

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    while (remaining.length > 1 && nameOf(remaining[0]) !== 'endraw') remaining.shift()
    const end = remaining.shift()?.end
    this.#source = token.input.slice(token.begin, end)
  }

  render(): string {
    return this.#source
  }
}

/** Makes the tag of loops, with the text instead of some. */
export function forTag(textFor: (items: unknown) => string | undefined) {
  return class extends ForTag {
    override *render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
      const text = textFor(yield evalToken(this.collection, context))
      if (text === undefined) yield* super.render(context, emitter)
      else emitter.write(text)
    }
  }
}

/** Makes a tag that changes the text up to its end tag. */
export function blockTag(name: string, change: (content: string) => string) {
  return class extends Tag {
    readonly #templates: Template[] = []

    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
      super(token, remaining, liquid)
      const stream = parser.parseStream(remaining)
      stream.on('template', (template: Template) => this.#templates.push(template))
      stream.on(`tag:end${name}`, () => stream.stop())
      stream.on('end', () => {
        throw new Error(`${name} has no end`)
      })
      stream.start()
    }

    *render(context: Context): Generator<unknown, string, unknown> {
      return change(String(yield this.liquid.renderer.renderTemplates(this.#templates, context)))
    }
  }
}

function nameOf(token: TopLevelToken | undefined): string {
  return token !== undefined && 'name' in token ? token.name : ''
}
