// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {DepositTest, Vm} from "./DepositTest.sol";
import {CallbackToken, FalseToken} from "./HostileTokens.sol";

contract SettleTest is DepositTest {
    function test_anyoneSettlesACoveredDepositToTheUnit(uint256 received, uint256 amount, uint256 least, uint256 feeBps)
        public
    {
        Terms memory terms = usdcDeposit();
        terms.amount = uint128(bound(amount, 1, 1e15));
        terms.least = uint128(bound(least, 1, terms.amount));
        terms.feeBps = uint16(bound(feeBps, 0, BPS));
        received = bound(received, terms.least, 2 * uint256(terms.amount));
        address forwarder = pay(terms, received);

        vm.prank(STRANGER);
        factory.settle(terms);

        uint256 paid = received < terms.amount ? received : terms.amount;
        assertUsdc(PLATFORM, paid * terms.feeBps / BPS, "platform: the fee of what is paid, rounded down");
        assertUsdc(MERCHANT, paid - paid * terms.feeBps / BPS, "merchant: the rest");
        assertUsdc(forwarder, received - paid, "forwarder: what exceeds the amount due");
    }

    function test_theEventTellsTheShares() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        vm.recordLogs();
        factory.settle(terms);
        _assertSettledEvent(forwarder, DUE - 1_500_000, 1_500_000);
    }

    function test_theLargestAmountSettles() public {
        Terms memory terms = usdcDeposit();
        (terms.amount, terms.least, terms.feeBps) = (type(uint128).max, type(uint128).max, 9_999);
        pay(terms, terms.amount);
        factory.settle(terms);
        uint256 share = uint256(terms.amount) * 9_999 / BPS;
        assertUsdc(PLATFORM, share, "platform");
        assertUsdc(MERCHANT, terms.amount - share, "merchant");
    }

    function test_lessThanTheLeastIsNotSettled(uint256 received) public {
        Terms memory terms = usdcDeposit();
        received = bound(received, 0, LEAST - 1);
        address forwarder = pay(terms, received);
        expectNotCovered(received, LEAST);
        factory.settle(terms);
        vm.assertTrue(forwarder.code.length == 0, "nothing is left behind");
    }

    function test_aShortPaymentSettlesOnceItIsToppedUpEvenLate() public {
        Terms memory terms = usdcDeposit();
        pay(terms, 60e6);
        expectNotCovered(60e6, LEAST);
        factory.settle(terms);
        vm.warp(terms.deadline + 1 days);
        pay(terms, 40e6);
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
    }

    function test_settlingTwiceChangesNothingEvenWhenItIsPaidTwice() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        factory.settle(terms);
        pay(terms, DUE);
        expectAlreadySettled(forwarder);
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
        assertUsdc(PLATFORM, 1_500_000, "platform");
        refund(terms, address(usdc), DUE);
        assertUsdc(PAYER, DUE, "the second payment goes back");
        expectAlreadySettled(forwarder);
        factory.settle(terms);
    }

    function test_anotherChainDoesNotSettle() public {
        Terms memory terms = usdcDeposit();
        pay(terms, DUE);
        vm.chainId(8453);
        vm.expectRevert(abi.encodeWithSelector(DepositFactory.WrongChain.selector, terms.chainId, 8453));
        factory.settle(terms);
    }

    function test_aTokenWithoutReturnValuesSettles() public {
        Terms memory terms = depositOf(address(usdt));
        usdt.mint(factory.forwarderOf(terms), DUE);
        factory.settle(terms);
        vm.assertEq(usdt.balanceOf(MERCHANT), 98_500_000, "merchant");
        vm.assertEq(usdt.balanceOf(PLATFORM), 1_500_000, "platform");
    }

    function test_aTokenWithAFeeSettlesWhatArrived() public {
        usdt.setParams(19, 49);
        usdt.mint(PAYER, DUE);
        Terms memory terms = depositOf(address(usdt));
        address forwarder = factory.forwarderOf(terms);
        vm.prank(PAYER);
        usdt.transfer(forwarder, DUE);
        factory.settle(terms);
        uint256 received = DUE - DUE * 19 / BPS;
        uint256 share = platformShare(terms, received);
        vm.assertEq(usdt.balanceOf(PLATFORM), share - share * 19 / BPS, "platform, after the token's fee");
        vm.assertEq(usdt.balanceOf(MERCHANT), received - share - (received - share) * 19 / BPS, "merchant, after it");
        vm.assertEq(usdt.balanceOf(forwarder), 0, "forwarder");
    }

    function test_aTokenThatDoesNotExistCoversNothing() public {
        expectNotCovered(0, LEAST);
        factory.settle(depositOf(STRANGER));
    }

    function test_aBlacklistedPlatformDoesNotKeepTheMerchantFromTheMoney() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE + 5);
        usdc.blacklist(PLATFORM);
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
        vm.assertEq(DepositForwarder(payable(forwarder)).parked(), 1_500_000, "parked");
        assertUsdc(forwarder, 1_500_005, "forwarder: the platform's share and the excess");
    }

    function test_aRefusedPlatformShareIsParkedToo() public {
        FalseToken token = new FalseToken();
        Terms memory terms = depositOf(address(token));
        address forwarder = factory.forwarderOf(terms);
        token.mint(forwarder, DUE);
        token.refuse(PLATFORM, true);
        factory.settle(terms);
        vm.assertEq(token.balanceOf(MERCHANT), 98_500_000, "merchant");
        vm.assertEq(DepositForwarder(payable(forwarder)).parked(), 1_500_000, "parked");
    }

    function test_aBlacklistedMerchantSettlesLater() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        usdc.blacklist(MERCHANT);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        factory.settle(terms);
        vm.assertTrue(forwarder.code.length == 0, "not closed");
        assertUsdc(PLATFORM, 0, "the platform is not paid alone");
        usdc.unBlacklist(MERCHANT);
        factory.settle(terms);
        assertUsdc(MERCHANT, 98_500_000, "merchant");
    }

    function test_aMerchantWhomTheTokenRefusesWithFalseSettlesLater() public {
        FalseToken token = new FalseToken();
        Terms memory terms = depositOf(address(token));
        token.mint(factory.forwarderOf(terms), DUE);
        token.refuse(MERCHANT, true);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, token));
        factory.settle(terms);
    }

    function test_aTokenThatCallsBackSettlesOnce() public {
        CallbackToken token = new CallbackToken();
        Terms memory terms = depositOf(address(token));
        token.mint(factory.forwarderOf(terms), 3 * uint256(DUE));
        token.setCallback(address(factory), abi.encodeCall(factory.settle, (terms)));
        factory.settle(terms);
        vm.assertTrue(token.hasCalled() && !token.hasSucceeded(), "called back in vain");
        vm.assertEq(token.balanceOf(MERCHANT), 98_500_000, "merchant");
    }

    function test_anOperatorInTheMiddleOfASettlementTakesNothing() public {
        CallbackToken token = new CallbackToken();
        Terms memory terms = depositOf(address(token));
        terms.operator = address(token);
        address forwarder = factory.forwarderOf(terms);
        token.mint(forwarder, DUE + 10);
        token.setCallback(address(factory), abi.encodeCall(factory.refund, (terms, address(token), PAYER, 10)));
        factory.settle(terms);
        vm.assertTrue(token.hasCalled() && !token.hasSucceeded(), "called back in vain");
        vm.assertEq(token.balanceOf(PAYER), 0, "taken");
        vm.assertEq(token.balanceOf(MERCHANT), 98_500_000, "merchant");
    }

    function _assertSettledEvent(address forwarder, uint256 merchantAmount, uint256 platformAmount) private {
        uint256 found = 0;
        for (Vm.Log[] memory logs = vm.getRecordedLogs(); found < logs.length; ++found) {
            if (logs[found].topics[0] != DepositForwarder.Settled.selector) continue;
            vm.assertEq(logs[found].emitter, forwarder, "emitter");
            vm.assertEq(logs[found].data, abi.encode(merchantAmount, platformAmount), "shares");
            return;
        }
        vm.assertTrue(false, "no Settled event");
    }
}
