import assert from 'node:assert/strict';
import { withAppScript } from '../../../../src/features/hosted/appScript.ts';
import { hostedStarts } from '../../../../src/hosting/names.ts';
import { openPage } from './appPage.ts';

const NAMES = { starts: hostedStarts('s'), names: { 'a </script> b': 's__a_b_1234', s__x: 's__s__x' } };

describe('features/hosted/appScript', () => {
  it('gives what an app asks for the names and URIs of its server, also if it names what belongs to others', () => {
    const { post } = openPage(withAppScript('<p>', NAMES));
    for (const [own, ours] of [
      ['query', 's__query'],
      ['read_file', 's__read_file'],
      ['other__query', 's__other__query'],
      ['s__query', 's__query'],
      ['s__x', 's__s__x'],
      ['a </script> b', 's__a_b_1234'],
    ]) {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: own, arguments: { own } },
      };
      const renamed = { ...message, params: { ...message.params, name: ours } };
      assert.deepEqual(JSON.parse(JSON.stringify(post(message))), renamed);
    }
    for (const [own, ours] of [
      ['ui://a/b', 'ui://hosted/s/a/b'],
      ['file:///etc/passwd', 'hosted://s/file:///etc/passwd'],
      ['hosted://other/note://1', 'hosted://s/hosted://other/note://1'],
      ['hosted://s/note://1', 'hosted://s/note://1'],
      ['ui://hosted/s/a', 'ui://hosted/s/a'],
      ['ui://hosted/other/a', 'ui://hosted/s/hosted/other/a'],
    ])
      assert.equal(post({ method: 'resources/read', params: { uri: own } }).params.uri, ours);
    const others = [{ method: 'ui/message', params: { name: 'a', uri: 'b' } }, { result: {} }, 'a', null];
    for (const message of others) assert.equal(post(message as object), message);
  });

  it('leaves the rest of the window as it is, also for a second page in it', () => {
    const page = openPage(withAppScript('<p>', NAMES));
    page.run();
    const { window, post, sourceOf } = page;
    for (const [own, ours] of [
      ['x', 's__x'],
      ['s__x', 's__s__x'],
    ])
      assert.equal(post({ method: 'tools/call', params: { name: own } }).params.name, ours);
    assert.equal(sourceOf('host'), window.parent); // the SDK of apps compares them
    assert.equal(sourceOf('other'), window);
    assert.equal(window.parent.focus(), true);
    window.parent.own = 1;
    assert.equal(window.parent.self.own, 1);
  });

  it('leaves the host itself in no variable of the window, and calls no other server from a page of a second one', () => {
    const { window, host, post, run } = openPage(withAppScript('<p>', NAMES));
    const values = [...Reflect.ownKeys(window).map((key) => window[key]), window.parent.self];
    for (const value of values) assert.ok(value !== host && value?.host !== host);
    run(withAppScript('<p>', { starts: hostedStarts('t'), names: {} }));
    const { params } = post({ method: 'tools/call', params: { name: 'x' } });
    assert.equal(params.name, 's__t__x'); // there is no such tool
  });

  it('comes first in the head, behind what hosts put there, whatever the page begins with', () => {
    for (const [page, wanted] of [
      [
        '<!doctype html><html lang="a>b"><head id="1"><title>',
        '<!doctype html><html lang="a>b"><head id="1">|<title>',
      ],
      [
        '<!DOCTYPE html>\n<!-- <head> --><html><!-- a --><HEAD>b',
        '<!DOCTYPE html>\n<!-- <head> --><html><!-- a --><HEAD>|b',
      ],
      ['<html><body>', '<html><head>|</head><body>'],
      ['<!doctype html><header>', '<!doctype html><head>|</head><header>'],
      ['text', '<head>|</head>text'],
      ['', '<head>|</head>'],
    ] as const)
      assert.equal(withAppScript(page, NAMES).replace(/<script>[\s\S]*?<\/script>/, '|'), wanted);
  });
});
