import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocks } from '../../docs/blocks.ts'

const certificates = join(import.meta.dir, '../../transport/certificates')
const certificate = join(certificates, 'localhost.pem')
const key = join(certificates, 'key.pem')
/** Signed the certificate that the proxies show. */
export const authority = join(certificates, 'ca.pem')

/**
 * Caddy warns of what the tests change: a certificate without a service that tells whether it was revoked, and no
 * second port for redirects. Its check begins to ask the gateways for their health, and cancels that at its end.
 */
const warnsOfTest = /stapling OCSP|redirects are disabled|health_checker\.active.*context canceled/

/**
 * @returns what a proxy's own check has to say, but for what the tests themselves change. @param stderr of the check
 */
export const complaints = (stderr: string): string[] =>
  stderr.split('\n').filter(line => /warn|error/i.test(line) && !warnsOfTest.test(line))

/** @returns the blocks of a document in the language of a proxy */
export const proxyBlocks = (path: string, language: 'nginx' | 'caddyfile'): string[] =>
  blocks.filter(block => block.path === path && block.language === language).map(({ text }) => text)

/**
 * Writes a documented file for this machine.
 * @param place an empty folder of the proxy's own
 * @param port where it listens on 127.0.0.1
 * @param addresses of gateways: those of the document, each with the one that it is here
 * @returns how to check the file, and how to run the proxy
 */
export type Configure = (
  place: string,
  port: number,
  addresses: Readonly<Record<string, string>>,
) => { readonly check: string[]; readonly run: string[] }

const withAddresses = (text: string, addresses: Readonly<Record<string, string>>) =>
  Object.entries(addresses).reduce((placed, [documented, real]) => placed.replaceAll(documented, real), text)

/** The documented server in the smallest file that has one, without root. */
export function nginx(server: string): Configure {
  return (place, port, addresses) => {
    const placed = withAddresses(server, addresses)
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
      .replace('server_name gateway.example.com;', 'server_name localhost;')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${place}/${name};`,
    )
    const file = join(place, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${place}/pid; error_log ${place}/error.log;
events {}
http { access_log off; ${paths.join(' ')}
${placed}
}
`,
    )
    const command = ['nginx', '-p', place, '-e', `${place}/error.log`, '-c', file]
    return { check: [...command, '-t'], run: command }
  }
}

export function caddy(site: string): Configure {
  return (place, port, addresses) => {
    const placed = withAddresses(site, addresses).replace(
      'gateway.example.com {',
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`,
    )
    const file = join(place, 'Caddyfile')
    writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${place}\n}\n${placed}`)
    const options = ['--config', file, '--adapter', 'caddyfile']
    return { check: ['caddy', 'validate', ...options], run: ['caddy', 'run', ...options] }
  }
}
