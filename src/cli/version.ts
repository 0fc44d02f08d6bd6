import type { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addVerb } from './command.ts'

/** This program's version. */
export const { version } = manifest

/** The versions of Bun that run it, as a range. */
export const bunRange: string = manifest.engines.bun

export function versionCommand(program: Command): void {
  addVerb(program, {
    name: 'version',
    summary: 'print the version',
    inputs: {},
    run: async () => ({ data: { version }, text: `waypost ${version}` }),
  })
}
