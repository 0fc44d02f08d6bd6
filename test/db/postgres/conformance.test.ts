import { conformanceOf } from '../conformance/conformance.ts'
import { postgres } from '../engines.ts'

conformanceOf(postgres())
