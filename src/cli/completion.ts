import { RootCommand } from '@bomb.sh/tab'
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { output } from './streams.ts'

/**
 * Adds `completion`, which prints a shell's script, and the hidden `complete`, which that script asks at each Tab. Call
 * it last: it looks at the commands that are there.
 */
export function completionCommand(program: Command): void {
  const completion = tab(program, { completionCommandName: 'completion' })
  const name = program.name()
  program.commands
    .find(command => command.name() === 'completion')
    ?.addHelpText('after', `\nExample:\n  ${name} completion zsh > ~/.zfunc/_${name}`)
    .action((shell: string) => output.write(sourceable(printedBy(() => completion.setup(name, name, shell)))))
  // Its command waits for nothing. Should the answer not be written, there is nobody to tell: a shell hides errors at Tab.
  completion.parse = words => void output.write(printedBy(() => parse.call(completion, words))).catch(() => {})
}

const { parse } = RootCommand.prototype

/**
 * The library prints with console.log, which has no place beside the one writer of standard output.
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
