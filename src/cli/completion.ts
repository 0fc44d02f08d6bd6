import type { Argument, Option, RootCommand } from '@bomb.sh/tab'
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import type { Environment } from '../config/config.ts'
import { listedBy } from './command.ts'
import type { Listed } from './inputs.ts'
import { output } from './streams.ts'
import { type Suggestion, suggest } from './suggestions.ts'

/**
 * Adds `completion`, which prints a shell's script, and the hidden `complete`, which that script runs at each Tab. Call
 * it last: it reads the commands defined so far.
 */
export function completionCommand(program: Command, environment: Environment): void {
  const completion = tab(program, { completionCommandName: 'completion' })
  const name = program.name()
  program.commands
    .find(command => command.name() === 'completion')
    ?.addHelpText('after', `\nExample:\n  ${name} completion zsh > ~/.zfunc/_${name}`)
    .action((shell: string) => output.write(sourceable(printedBy(() => completion.setup(name, name, shell)))))

  // The library is synchronous, so it is called twice when it needs something from the database: what, and then with
  // it.
  let wanted: Listed | null = null
  let suggestions: readonly Suggestion[] = []
  offerListed(program, completion, of => {
    wanted = of
    return suggestions
  })
  const ask = (words: readonly string[]) => printedBy(() => completion.parse(withValuesApart(words)))
  program.commands
    .find(command => command.name() === 'complete')
    ?.action(async (words: readonly string[]) => {
      const answer = ask(words)
      if (wanted === null) return output.write(answer)
      suggestions = await suggest(wanted, words, environment)
      await output.write(ask(words))
    })
}

/** The library takes the word after `--name=value` for the option's value. The last word is the one being typed. */
const withValuesApart = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => (at < words.length - 1 ? (/^(--[^=]+)=(.*)$/.exec(word)?.slice(1) ?? [word]) : [word]))

/** @param find called when what is listed is completed */
function offerListed(program: Command, completion: RootCommand, find: (of: Listed) => readonly Suggestion[]): void {
  const offer = (completed: Option | Argument | undefined, of: Listed | undefined) => {
    if (completed === undefined || of === undefined) return
    completed.handler = complete => {
      for (const { value, about } of find(of)) complete(value, about)
    }
  }
  for (const noun of program.commands) {
    for (const verb of noun.commands.length > 0 ? noun.commands : [noun]) {
      const completed = completion.commands.get(verb === noun ? verb.name() : `${noun.name()} ${verb.name()}`)
      for (const option of verb.options) {
        offer(completed?.options.get(option.long?.replace(/^--/, '') ?? ''), listedBy.get(option))
      }
      for (const argument of verb.registeredArguments) {
        offer(completed?.arguments.get(argument.name()), listedBy.get(argument))
      }
    }
  }
}

/**
 * The library prints with console.log, but standard output has only one writer.
 * @param act prints before it returns
 * @returns what it would have printed
 */
function printedBy(act: () => void): string {
  const printed: string[] = []
  const { log } = console
  console.log = (line: string) => printed.push(`${line}\n`)
  try {
    act()
  } finally {
    console.log = log
  }
  return printed.join('')
}

/**
 * Bash refuses to set a readonly name again, so that a second `source` in one shell complained six times. What is set
 * already stays: another program's script of the same origin sets the same names to the same values.
 */
const sourceable = (script: string) =>
  script.replace(/^readonly (\w+)=(\w+)$/gm, ': "$${$1:=$2}"').replace(/^ *_get_comp_words_by_ref .*$/m, withoutPackage)

/** The package bash-completion splits the line better, but small servers do not have it. */
const withoutPackage = (call: string) => `    if declare -F _get_comp_words_by_ref > /dev/null; then
    ${call}
    else
        words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]}
    fi`
