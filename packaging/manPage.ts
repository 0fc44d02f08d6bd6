import type { Command } from 'commander'
import { buildProgram } from '../src/cli/program.ts'
import { version } from '../src/cli/version.ts'
import { settings } from '../src/config/settings.ts'

/**
 * Roff reads a dot or a quote at the start of a line as a command, and a backslash anywhere; it takes ASCII alone, and
 * other characters by their number.
 */
const escaped = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1')
    .replace(
      /\P{ASCII}/gu,
      letter => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )

const section = (title: string, lines: readonly string[]) => [`.SH ${title}`, ...lines]

/** A term and, indented below it, what it means. */
const entry = (term: string, meaning: string) => ['.TP', `.B ${escaped(term)}`, escaped(meaning)]

/** @returns the man page `waypost(1)`, made of the program's own commands. @param date of the release, `2026-01-31` */
export async function manPage(date: string): Promise<string> {
  const program = await buildProgram({})
  return [
    `.TH WAYPOST 1 "${date}" "waypost ${version}" "User Commands"`,
    ...section('NAME', ['waypost \\- self\\-hosted messaging gateway']),
    ...section('SYNOPSIS', ['.B waypost', '.I command', '[\\fIoptions\\fR]']),
    ...section('DESCRIPTION', [escaped(program.description())]),
    ...section('OPTIONS', optionsOf(program)),
    ...section('COMMANDS', leavesOf(program).flatMap(describe)),
    ...section(
      'ENVIRONMENT',
      Object.entries(settings).flatMap(([name, [fallback, purpose]]) =>
        entry(name, `${purpose} (default: ${fallback})`),
      ),
    ),
    ...section('FILES', [
      ...entry('/etc/waypost/waypost.env', 'Settings of the service.'),
      ...entry('/var/lib/waypost', 'Database and key file of the service.'),
    ]),
    ...section('EXIT STATUS', ['0 done, 1 failed, 2 wrong use.']),
    '',
  ].join('\n')
}

interface Leaf {
  readonly path: string
  readonly command: Command
}

/** @returns the commands that do something, each with the words that lead to it. */
const leavesOf = (command: Command, words: readonly string[] = []): Leaf[] =>
  command.commands.filter(isShown).flatMap(child => {
    const path = [...words, child.name()]
    return child.commands.length > 0 ? leavesOf(child, path) : [{ path: path.join(' '), command: child }]
  })

/** The shells ask `complete` at each Tab; people do not. */
const isShown = (command: Command) => command.name() !== 'complete'

const describe = ({ path, command }: Leaf): string[] => [
  ...entry(`waypost ${path} ${command.usage()}`.trim(), command.description()),
  '.RS',
  ...optionsOf(command),
  '.RE',
]

const optionsOf = (command: Command): string[] =>
  command.options.flatMap(({ flags, description }) => entry(flags, description))
