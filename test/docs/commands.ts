import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program.ts'

const program = await buildProgram({})

/** Words of a shell that end a command. */
const ends = new Set(['|', '||', '&', '&&', ';', '>', '2>&1', '<', '\\', '#', '…', ')'])

/**
 * What is wrong with a command of ours as a document writes it: an unknown command or option, or a missing one that is
 * required. Values are not looked at.
 * @param line begins with `waypost`
 * @param isWhole whether it is meant to be pasted: then required options must be there
 */
export function mistakeIn(line: string, isWhole: boolean): string | null {
  const words = wordsOf(line).slice(1)
  let command: Command = program
  const known = new Set(program.options.flatMap(optionNames))
  let given = 0
  const options: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word.startsWith('-') && word !== '-') {
      const [name = ''] = word.split('=')
      options.push(name)
      const option = [...command.options, ...program.options].find(each => optionNames(each).includes(name))
      if (option === undefined && !['--help', '-h', '--version'].includes(name)) return `no option ${name}`
      if (option?.required && !word.includes('=')) at += 1
      continue
    }
    const child = command.commands.find(each => each.name() === word)
    if (child) {
      command = child
      for (const option of child.options) for (const name of optionNames(option)) known.add(name)
    } else if (command.commands.length > 0) {
      return `no command ${word}`
    } else {
      given += 1
    }
  }
  if (given > command.registeredArguments.length && !command.registeredArguments.at(-1)?.variadic)
    return 'too many words'
  if (!isWhole || options.includes('--help')) return null
  const missing = command.options.filter(
    each => each.mandatory && !optionNames(each).some(name => options.includes(name)),
  )
  if (missing.length > 0) return `without ${missing.map(({ long }) => long).join(', ')}`
  if (given < command.registeredArguments.filter(each => each.required).length) return 'without what it is about'
  return command.commands.length > 0 && command !== program ? 'without a verb' : null
}

const optionNames = ({ long, short }: { long?: string | undefined; short?: string | undefined }) =>
  [long, short].filter(name => name !== undefined)

/** The words up to the end of the command; quotes keep a word together. */
function wordsOf(line: string): string[] {
  const words = [...line.replaceAll('\\\n', ' ').matchAll(/"[^"]*"|'[^']*'|\$\([^)]*\)|\S+/g)].map(([word]) => word)
  const end = words.findIndex(word => ends.has(word) || word.startsWith('#') || /^[12]?>/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

/** The commands of ours in a command line, whatever stands before them. */
export function ownCommands(statement: string): string[] {
  const line = statement
    .replaceAll('\\\n', ' ')
    .replace(/(^|\s)#.*$/gm, '')
    // The user of the service has its name.
    .replace(/-u waypost /g, '')
  return [...line.matchAll(/(?<![\w.-])waypost (?=[a-z]|--)[^\n;|&)]*/g)].map(([command]) => command)
}
