import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/config.ts'
import { settingNames } from '../../src/config/settings.ts'

interface Service {
  readonly extends?: { readonly file: string; readonly service: string }
  readonly environment: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly ports?: readonly string[]
  readonly volumes: readonly string[]
  readonly command?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly read_only?: boolean
  readonly stop_grace_period: string
}

interface Composition {
  readonly services: Readonly<Record<string, Service | undefined>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const text = (name: string) => readFileSync(join(import.meta.dir, '../..', name), 'utf8')

/** As `docker compose` reads it, which our tests do not have: what a service extends comes first. */
function read(name: string): Composition {
  const { services, volumes } = Bun.YAML.parse(text(name)) as Composition
  const whole = Object.entries(services).map(([service, own]) => {
    const from = own?.extends && read(own.extends.file).services[own.extends.service]
    return [service, { ...from, ...own, environment: { ...from?.environment, ...own?.environment } }] as const
  })
  return { services: Object.fromEntries(whole) as Composition['services'], volumes }
}

/** What the image sets. */
const ofImage = Object.fromEntries(
  (/^ENV (.*)$/m.exec(text('Dockerfile'))?.[1] ?? '').split(' ').map(pair => pair.split('=') as [string, string]),
)

describe.each(['compose.yaml', 'compose.postgres.yaml'])('%s', name => {
  const { services, volumes } = read(name)
  const gateway = services.waypost

  test('has settings that the gateway takes, also those that are left out', () => {
    const leftOut = [...text(name).matchAll(/^ +# ([A-Z_]+): (.+)$/gm)].map(([, key = '', value = '']) => [key, value])
    const settings = { ...gateway?.environment, ...Object.fromEntries(leftOut) }
    expect(Object.keys(settings).filter(key => !settingNames.some(known => known === key))).toEqual([])
    const given = Object.fromEntries(
      Object.entries(gateway?.environment ?? {}).map(([key, value]) => [key, value.replace(/\$\{.*?\}/, 'secret')]),
    )
    expect(loadConfig({ ...ofImage, ...given })).toMatchObject({ host: '0.0.0.0', dataDir: '/data' })
  })

  test('the gateway has no rights, is reached from this machine alone, and ends what it has sent', () => {
    expect(gateway).toMatchObject({ cap_drop: ['ALL'], read_only: true, stop_grace_period: '45s' })
    const ports = Object.values(services).flatMap(service => service?.ports ?? [])
    expect(ports).toEqual(['127.0.0.1:8080:8080'])
  })

  test('every volume that is named is there', () => {
    const named = Object.values(services).flatMap(service => service?.volumes ?? [])
    expect(named.map(volume => volume.split(':')[0] ?? '').toSorted()).toEqual(Object.keys(volumes).toSorted())
  })
})

describe('PostgreSQL beside the gateway', () => {
  const { waypost, postgres } = read('compose.postgres.yaml').services

  test('is the one that the gateway asks, as soon as it is healthy', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres?.environment ?? {}
    expect(waypost?.environment.DATABASE_URL).toBe(
      `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}?sslmode=disable`,
    )
    // Without it, Compose says so and starts nothing.
    expect(POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?.+\}$/)
    expect(waypost?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    expect(postgres?.healthcheck).toBeObject()
  })

  test('notices clients that are gone, as the guide says', () => {
    const options = (postgres?.command ?? []).filter(word => word.includes('='))
    expect(options).toHaveLength(3)
    for (const option of options) expect(text('docs/scale.md')).toContain(`\`${option.replace('=', ' = ')}\``)
  })

  test('its password is in a file that neither an image nor the history takes', () => {
    for (const name of ['.dockerignore', '.gitignore']) expect(text(name).split('\n')).toContain('.env')
  })
})
