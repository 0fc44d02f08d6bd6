import { Argument, type Command, Option } from 'commander'
import { jsonText } from '../base/terminal.ts'
import { exitCodes } from './failure.ts'
import type { Input, Inputs, Listed, Values } from './inputs.ts'
import type { Answer } from './output.ts'
import { output } from './streams.ts'

const program = 'waypost'

/** What the options and arguments name, for completion. */
export const listedBy = new WeakMap<Option | Argument, Listed>()

/** A command: its name, its inputs and its answer. */
export interface Verb<Given extends Inputs> {
  readonly name: string
  readonly summary: string
  /** A whole command line without the program's name, for the help. */
  readonly example: string
  readonly inputs: Given
  /** At least one input of each group must be given. */
  readonly oneOf?: readonly (readonly (keyof Given & string)[])[]
  run(values: Values<Given>, voice: Voice): Promise<Answer | undefined>
}

/** What a command prints while it works. */
export interface Voice {
  /** Prints the answer at once, for a command that keeps running after it. */
  announce(answer: Answer): Promise<void>
  /** Prints a line for people; with `--json`, nothing. */
  tell(text: string): Promise<void>
}

/** A noun with its verbs below it: `waypost <noun> <verb>`. */
export const addNoun = (program: Command, name: string, summary: string): Command =>
  program.command(name).description(summary)

/** Adds a command. This is the one place where commander's untyped values get the types of the inputs. */
export function addVerb<Given extends Inputs>(parent: Command, verb: Verb<Given>): Command {
  const command = parent.command(verb.name).description(verb.summary)
  const inputs = Object.entries(verb.inputs)
  for (const [name, input] of inputs) addInput(command, name, input)
  const positions = inputs.flatMap(([name, { kind, isRequired }]) =>
    kind === 'argument' ? [isRequired ? `<${name}>` : `[${name}]`] : [],
  )
  command.usage([...positions, '[options]'].join(' '))
  command.addHelpText('after', `\nExample:\n  ${program} ${verb.example}`)

  command.action(async () => {
    const options: Record<string, unknown> = command.optsWithGlobals()
    const given: unknown[] = [...command.processedArgs]
    const values = Object.fromEntries(
      inputs.map(([name, input]) => [
        name,
        input.kind === 'argument' ? given.shift() : optionValue(options, name, input),
      ]),
    )
    const missing = missingInputs(verb.inputs, verb.oneOf ?? [], values)
    if (missing.length > 0) command.error(`error: Missing: ${missing.join(', ')}`)
    const isJson = options.json === true
    const say = async (text: string | null, isFile = false) =>
      text === null ? undefined : output.write(`${text}\n`, isFile)
    const announce = ({ data, text, isFile }: Answer) => (isJson ? say(jsonText(data)) : say(text, isFile))
    const tell = (text: string) => say(isJson ? null : text)
    // Every value came from its input's reader or is its fallback.
    const answer = await verb.run(values as Values<Given>, { announce, tell })
    if (!answer) return
    await announce(answer)
    if (answer.failed) process.exitCode = exitCodes.failed
  })
  return command
}

/**
 * Commander would name only the first missing input, so it treats every input as optional.
 * @returns the missing required inputs, as they are typed
 */
function missingInputs(
  inputs: Inputs,
  groups: readonly (readonly string[])[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  const written = (name: string) => {
    const { kind, reader } = inputs[name] ?? {}
    return kind === 'argument' ? `<${name}>` : `${flagOf(name)}${reader ? ` <${reader.placeholder}>` : ''}`
  }
  const required = Object.keys(inputs).filter(name => inputs[name]?.isRequired && values[name] === undefined)
  const isGiven = (name: string) => values[name] !== undefined && values[name] !== false
  const absent = groups.filter(group => !group.some(isGiven))
  return [...required.map(written), ...absent.map(group => group.map(written).join(' or '))]
}

/** @returns a name as people read it: `costCentre` is `cost centre` */
export const wordsOf = (name: string) => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

export const flagOf = (name: string) => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** Commander keeps `--no-verify` as `verify`, which is true until it is given. */
function optionValue(options: Readonly<Record<string, unknown>>, name: string, { fallback }: Input<unknown>): unknown {
  const negated = /^no([A-Z])(.*)/.exec(name)
  return negated ? options[`${negated[1]?.toLowerCase()}${negated[2]}`] === false : (options[name] ?? fallback)
}

function addInput(command: Command, name: string, { kind, help, isRequired, reader, fallback }: Input<unknown>): void {
  if (kind === 'argument') {
    const argument = new Argument(name, help).argOptional()
    if (reader?.of) listedBy.set(argument, reader.of)
    command.addArgument(reader ? argument.argParser(text => reader.read(text)) : argument)
    return
  }
  const long = flagOf(name)
  const option = new Option(reader ? `${long} <${reader.placeholder}>` : long, isRequired ? `${help} (required)` : help)
  if (reader?.choices) option.choices(reader.choices)
  if (reader?.of) listedBy.set(option, reader.of)
  // Last: the parser that `choices` sets is case-sensitive.
  if (reader)
    option.argParser((text, former) =>
      reader.isList && Array.isArray(former) ? [...former, reader.read(text)].flat() : reader.read(text),
    )
  if (reader && fallback !== undefined) option.default(fallback)
  command.addOption(option)
}
