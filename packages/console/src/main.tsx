import { render } from 'preact';
import { App } from './app.js';
import { escapeTexts } from './lib/visible.js';
import './styles/index.css';

escapeTexts();
const root = document.getElementById('app');
if (root) render(<App />, root);
