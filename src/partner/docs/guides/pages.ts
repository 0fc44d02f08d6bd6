import { basename } from 'node:path/posix'
import pythonClient from '../../../../clients/python/README.md' with { type: 'file' }
import architecture from '../../../../docs/architecture.md' with { type: 'file' }
import commands from '../../../../docs/commands.md' with { type: 'file' }
import consolePage from '../../../../docs/console.md' with { type: 'file' }
import cookbook from '../../../../docs/cookbook.md' with { type: 'file' }
import deploy from '../../../../docs/deploy.md' with { type: 'file' }
import dropIn from '../../../../docs/drop-in.md' with { type: 'file' }
import errors from '../../../../docs/errors.md' with { type: 'file' }
import faq from '../../../../docs/faq.md' with { type: 'file' }
import guarantees from '../../../../docs/guarantees.md' with { type: 'file' }
import metaSetup from '../../../../docs/meta-setup.md' with { type: 'file' }
import migrate from '../../../../docs/migrate.md' with { type: 'file' }
import operate from '../../../../docs/operate.md' with { type: 'file' }
import partnerApi from '../../../../docs/partner-api.md' with { type: 'file' }
import platform from '../../../../docs/platform.md' with { type: 'file' }
import guides from '../../../../docs/README.md' with { type: 'file' }
import reference from '../../../../docs/reference.md' with { type: 'file' }
import sandbox from '../../../../docs/sandbox.md' with { type: 'file' }
import scale from '../../../../docs/scale.md' with { type: 'file' }
import settings from '../../../../docs/settings.md' with { type: 'file' }
import testing from '../../../../docs/testing.md' with { type: 'file' }
import threats from '../../../../docs/threats.md' with { type: 'file' }
import upstream from '../../../../docs/upstream.md' with { type: 'file' }
import webhooks from '../../../../docs/webhooks.md' with { type: 'file' }
import typescriptClient from '../../../../packages/client/README.md' with { type: 'file' }
import security from '../../../../SECURITY.md' with { type: 'file' }

/** A guide: a document of the repository that the executable serves at `/docs/<name>`. */
export interface Guide {
  readonly name: string
  /** Where it is in the repository: its links are relative to that. */
  readonly path: string
}

/** With the file of its Markdown: in the executable, or in the repository. */
export interface GuideFile extends Guide {
  readonly file: string
}

/** Documents whose file name says too little for an address. */
const names: Readonly<Record<string, string>> = {
  'docs/README.md': 'guides',
  'clients/python/README.md': 'client-python',
  'packages/client/README.md': 'client-typescript',
}

/** Every guide by its path. They are imported one by one, so that the build puts each into the executable. */
const files: Readonly<Record<string, string>> = {
  'docs/README.md': guides,
  'docs/architecture.md': architecture,
  'docs/commands.md': commands,
  'docs/console.md': consolePage,
  'docs/cookbook.md': cookbook,
  'docs/deploy.md': deploy,
  'docs/drop-in.md': dropIn,
  'docs/errors.md': errors,
  'docs/faq.md': faq,
  'docs/guarantees.md': guarantees,
  'docs/meta-setup.md': metaSetup,
  'docs/migrate.md': migrate,
  'docs/operate.md': operate,
  'docs/partner-api.md': partnerApi,
  'docs/platform.md': platform,
  'docs/reference.md': reference,
  'docs/sandbox.md': sandbox,
  'docs/scale.md': scale,
  'docs/settings.md': settings,
  'docs/testing.md': testing,
  'docs/threats.md': threats,
  'docs/upstream.md': upstream,
  'docs/webhooks.md': webhooks,
  'SECURITY.md': security,
  'clients/python/README.md': pythonClient,
  'packages/client/README.md': typescriptClient,
}

const nameOf = (path: string) => names[path] ?? basename(path, '.md').toLowerCase()

export const guideList: readonly GuideFile[] = Object.entries(files).map(([path, file]) => ({
  name: nameOf(path),
  path,
  file,
}))
