import '../../../workers/sender.ts'
import { takePoison } from './killable.ts'

takePoison()
