import type { Environment } from './reader.ts'

const comment = /[#;](?:\\[\s\S]|[^\\\n\r])*/
const quoted = /'([^']*)(?:'|$)|"((?:\\[\s\S]|[^"\\])*)(?:"|$)/
const pieces = new RegExp(`(?<pieces>(?:[ \\t]*(?:${quoted.source}))*)`)
const rest = /[ \t]*(?<rest>(?:\\[\s\S]|[^\\\n\r])*)/
/** A comment; or a name, and behind the `=` what is quoted and the rest, up to the end of the line. */
const entry = new RegExp(`${comment.source}|(?<name>[^=\\n\\r]+)=${pieces.source}${rest.source}`, 'g')

/**
 * Reads a file of settings as systemd reads an `EnvironmentFile` (systemd.exec(5)), so that a command and the service
 * have the same: `#` and `;` begin a comment at the beginning of a line alone, and behind a value they belong to it.
 */
export function parseEnvironmentFile(text: string): Environment {
  const settings: Record<string, string> = {}
  for (const { groups = {} } of text.matchAll(entry)) {
    const { name = '', pieces = '', rest = '' } = groups
    const texts = [...pieces.matchAll(new RegExp(quoted, 'g'))].map(([, one, two = '']) => one ?? withoutEscapes(two))
    // As systemd, what has no name of a variable is left out: also behind a byte-order mark.
    const bare = name.replace(/^[ \t]+|[ \t]+$/g, '')
    if (/^[A-Za-z_]\w*$/.test(bare)) settings[bare] = texts.join('') + plain(rest)
  }
  return settings
}

/** Outside quotes a backslash stands for the character behind it, and for nothing at the end of a line. */
const plain = (text: string) =>
  text.trimEnd().replace(/\\([\s\S]?)/g, (_, letter) => (/[\n\r]/.test(letter) ? '' : letter))

/** Within double quotes, before what a shell would read there alone. */
const withoutEscapes = (text: string) =>
  text.replace(/\\(["\\`$\n\r])/g, (_, letter) => (/[\n\r]/.test(letter) ? '' : letter))
