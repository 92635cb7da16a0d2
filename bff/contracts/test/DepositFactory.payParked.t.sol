// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {DepositTest} from "./DepositTest.sol";
import {CallbackToken} from "./HostileTokens.sol";

contract PayParkedTest is DepositTest {
    function test_anyonePaysAParkedShareOnceThePlatformCanTakeIt(uint256 received) public {
        Terms memory terms = usdcDeposit();
        received = bound(received, LEAST, 2 * uint256(DUE));
        address forwarder = pay(terms, received);
        usdc.blacklist(PLATFORM);
        factory.settle(terms);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        factory.payParked(terms);

        usdc.unBlacklist(PLATFORM);
        vm.prank(STRANGER);
        factory.payParked(terms);

        assertUsdc(PLATFORM, platformShare(terms, received < DUE ? received : DUE), "platform");
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.NothingParked.selector, forwarder));
        factory.payParked(terms);
    }

    function test_theOperatorCannotRefundAParkedShare() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE + 5);
        usdc.blacklist(PLATFORM);
        factory.settle(terms);
        expectNotRefundable(address(usdc), 6, 5);
        refund(terms, address(usdc), 6);
        refund(terms, address(usdc), 5);
        assertUsdc(forwarder, 1_500_000, "forwarder");
        expectNotRefundable(address(usdc), 1, 0);
        refund(terms, address(usdc), 1);
    }

    function test_nothingIsParkedBeforeSettlement() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE + 5);
        vm.expectRevert(abi.encodeWithSelector(DepositFactory.NotDeployed.selector, forwarder));
        factory.payParked(terms);
        refund(terms, address(usdc), 5);
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.NothingParked.selector, forwarder));
        factory.payParked(terms);
    }

    function test_aTokenThatCallsBackPaysAParkedShareOnce() public {
        CallbackToken token = new CallbackToken();
        Terms memory terms = depositOf(address(token));
        address forwarder = factory.forwarderOf(terms);
        token.mint(forwarder, DUE + 1_500_000);
        token.refuse(PLATFORM, true);
        factory.settle(terms);
        token.refuse(PLATFORM, false);
        token.setCallback(address(factory), abi.encodeCall(factory.payParked, (terms)));
        factory.payParked(terms);
        vm.assertTrue(token.hasCalled() && !token.hasSucceeded(), "called back in vain");
        vm.assertEq(token.balanceOf(PLATFORM), 1_500_000, "platform");
        vm.assertEq(token.balanceOf(forwarder), 1_500_000, "forwarder: the excess");
    }
}
