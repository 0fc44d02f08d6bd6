import { setDefaultTimeout } from 'bun:test'
import { hungAfterMs } from '../../timeLimit.ts'
import { conformanceOf } from '../conformance/conformance.ts'
import { postgres } from '../engines.ts'

setDefaultTimeout(hungAfterMs)

conformanceOf(postgres())
