import { PageHead } from '../ui/parts.js';

export const Overview = () => <PageHead title="Overview" />;
