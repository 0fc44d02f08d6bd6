import { Argument, type Command, Option } from 'commander'
import { exitCodes } from './failure.ts'
import type { Input, Inputs, Values } from './inputs.ts'
import type { Answer } from './output.ts'
import { output } from './streams.ts'

/** A command: what it is called, what it takes, and what it answers. */
export interface Verb<Given extends Inputs> {
  readonly name: string
  readonly summary: string
  readonly inputs: Given
  run(values: Values<Given>, voice: Voice): Promise<Answer | undefined>
}

/** How a command speaks while it works. */
export interface Voice {
  /** Prints the answer at once, for a command that goes on working after it. */
  announce(answer: Answer): Promise<void>
  /** Prints a line for people; with `--json`, nothing. */
  tell(text: string): Promise<void>
}

/** A noun with its verbs below it: `waypost <noun> <verb>`. */
export const addNoun = (program: Command, name: string, summary: string): Command =>
  program.command(name).description(summary)

/**
 * Adds a command. This is the one place where commander's untyped values become those that the inputs promise.
 */
export function addVerb<Given extends Inputs>(parent: Command, verb: Verb<Given>): Command {
  const command = parent.command(verb.name).description(verb.summary)
  const inputs = Object.entries(verb.inputs)
  for (const [name, input] of inputs) addInput(command, name, input)

  command.action(async () => {
    const options: Record<string, unknown> = command.optsWithGlobals()
    const positions: unknown[] = [...command.processedArgs]
    const values = Object.fromEntries(
      inputs.map(([name, input]) => [name, input.kind === 'argument' ? positions.shift() : optionValue(options, name)]),
    )
    const isJson = options.json === true
    const say = async (text: string | null) => (text === null ? undefined : output.write(`${text}\n`))
    const announce = (answer: Answer) => say(isJson ? JSON.stringify(answer.data) : answer.text)
    const tell = (text: string) => say(isJson ? null : text)
    // Every value came from its input's reader or is its fallback.
    const answer = await verb.run(values as Values<Given>, { announce, tell })
    if (!answer) return
    await announce(answer)
    if (answer.failed) process.exitCode = exitCodes.failed
  })
  return command
}

/** Commander keeps `--no-verify` as `verify`, which is true until it is given. */
function optionValue(options: Readonly<Record<string, unknown>>, name: string): unknown {
  const negated = /^no([A-Z])(.*)/.exec(name)
  return negated ? options[`${negated[1]?.toLowerCase()}${negated[2]}`] === false : options[name]
}

function addInput(command: Command, name: string, { kind, help, isRequired, reader, fallback }: Input<unknown>): void {
  if (kind === 'argument') {
    const argument = new Argument(`<${name}>`, help)
    command.addArgument(reader ? argument.argParser(text => reader.read(text)) : argument)
    return
  }
  const long = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
  const option = new Option(reader ? `${long} <${reader.placeholder}>` : long, help).makeOptionMandatory(isRequired)
  if (reader?.choices) option.choices(reader.choices)
  // Last: the choices' own parser tells upper from lower case.
  if (reader) option.argParser(text => reader.read(text))
  if (reader && fallback !== undefined) option.default(fallback)
  command.addOption(option)
}
