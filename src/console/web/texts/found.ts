import { findings } from './en/findings.ts'
import { translator } from './translator.ts'

const translate = translator(findings)

/** @returns what the gateway finds of itself, or what a setting is for, in the language of the page, line by line */
export const found = (text: string): string =>
  text
    .split('\n')
    .map(line => translate(line) ?? line)
    .join('\n')
