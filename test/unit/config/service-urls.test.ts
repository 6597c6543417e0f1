import { expect } from 'chai';
import { Bad } from '../../../src/config/parse.js';
import { mongodbUrl, redisUrl } from '../../../src/config/service-urls.js';

const accepts = (parse: (text: string) => unknown, urls: readonly string[]): void => {
  for (const url of urls) expect(parse(url), url).to.equal(url);
};
const refuses = (parse: (text: string) => unknown, urls: readonly string[]): void => {
  for (const url of urls) expect(parse(url), url).to.be.instanceOf(Bad);
};

describe('URLs of servers', () => {
  it('of MongoDB: one host or several, with credentials, database and options, or one name with +srv', () => {
    accepts(mongodbUrl, [
      'mongodb://127.0.0.1:27017',
      'mongodb://h/hivekeep',
      'mongodb://u:p%40ss,word@h:1/db?replicaSet=rs0&tls=true',
      'mongodb://u@a:1,b:2,c:3/?authSource=admin',
      'mongodb://[::1]:27017/db',
      'mongodb+srv://u:p@cluster0.example.net/db?retryWrites=true',
    ]);
  });

  it('of MongoDB: refuses options that weaken what is promised, and says which', () => {
    for (const [option, kept] of [
      ['journal=false', 'journal=true'],
      ['j=0', 'j=true'],
      ['W=1', 'w=majority'],
      ['readConcernLevel=local', 'readConcernLevel=majority'],
      ['readPreference=nearest', 'readPreference=primary'],
    ])
      expect(mongodbUrl(`mongodb://u:secret@h/db?replicaSet=r&${option}`))
        .to.be.instanceOf(Bad)
        .with.property('expected')
        .that.includes(`to anything else than ${kept}: `)
        .and.not.includes('secret');
    accepts(mongodbUrl, [
      'mongodb://h/db?w=majority&journal=true&readConcernLevel=majority&readPreference=primary',
      'mongodb+srv://u:p@h.example.net/?retryWrites=true&w=majority&appName=Cluster0&socketTimeoutMS=90000',
    ]);
  });

  it('of MongoDB: refuses other schemes, no host, bad ports, and what of a password was not escaped', () => {
    refuses(mongodbUrl, [
      'h:27017',
      'http://h',
      'mongodb:/h',
      'mongodb://',
      'mongodb:///db',
      'mongodb://h:99999',
      'mongodb://a,,b',
      'mongodb://u:p@ss@h',
      'mongodb://u:p/ss@h',
      'mongodb://u:p:s@h',
      'mongodb://u:p%zz@h',
      'mongodb://h/a b',
      'mongodb://h/a.b',
      'mongodb+srv://h:27017',
      'mongodb+srv://a,b',
      'redis://h:6379',
    ]);
  });

  it('of Redis: one server with a database number, or the nodes of a cluster', () => {
    accepts(redisUrl, [
      'redis://h',
      'redis://h:6379/3',
      'rediss://:p%40ss@h:6380',
      'redis://user:p@[::1]:6379/',
      'redis://a:1,redis://b:2,redis://:p@c',
    ]);
    expect(redisUrl('redis://a:1, redis://b:2')).to.equal('redis://a:1,redis://b:2');
  });

  it('of Redis: refuses other schemes, no host, names of databases, and clusters with databases or of two schemes', () => {
    refuses(redisUrl, [
      'h:6379',
      'http://h',
      'redis://',
      'redis://h:99999',
      'redis://h/db',
      'redis://h#x',
      'redis://:p%zz@h',
      'redis://:p,w@h',
      'redis://a,b',
      'redis://a,',
      'redis://a/0,redis://b/0',
      'redis://a,rediss://b',
      'mongodb://h',
    ]);
  });

  it('never repeats what it was given', () => {
    for (const parse of [mongodbUrl, redisUrl])
      expect((parse('mongodb://u:s3cret@@h') as Bad).expected).not.to.include('s3cret');
  });
});
