import { bunRange } from './cli/version.ts'

// Earlier versions of Bun crash when a worker thread ends. The executable brings its own.
if (!Bun.isStandaloneExecutable && !Bun.semver.satisfies(Bun.version, bunRange)) {
  process.stderr.write(`Waypost needs Bun ${bunRange}; this is ${Bun.version}. Run: bun upgrade\n`)
  process.exit(1)
}

// Our files hold phone numbers or keys: only their owner may read them.
process.umask(0o077)

// Loaded only now: on an older Bun, loading the rest may fail with a less clear error.
const { runProgram } = await import('./cli/program.ts')
process.exit(await runProgram(process.argv.slice(2), process.env))
