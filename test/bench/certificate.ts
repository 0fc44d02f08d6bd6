import { join } from 'node:path'
import { run } from './processes.ts'

/** Files in PEM. */
export interface Certificate {
  readonly certificatePath: string
  readonly keyPath: string
}

/** The bench is over long before. */
const days = '2'

/**
 * Makes a certificate for 127.0.0.1 that is its own authority: who trusts it, with NODE_EXTRA_CA_CERTS, checks it as
 * one of the upstream platform's.
 * @throws Error when openssl is missing
 */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [certificatePath, keyPath] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', days]
  const names = ['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1']
  await run(['openssl', 'req', '-x509', ...kind, ...names, '-keyout', keyPath, '-out', certificatePath], {})
  return { certificatePath, keyPath }
}
