import '../../../workers/writer.ts'
import { takePoison } from './killable.ts'

takePoison()
