// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {DepositFactory} from "../src/DepositFactory.sol";
import {DepositForwarder} from "../src/DepositForwarder.sol";
import {Terms} from "../src/Terms.sol";
import {DepositTest} from "./DepositTest.sol";

contract ForwarderOfTest is DepositTest {
    function test_theAddressIsTheCreate2AddressOfTheTermsHash(Terms memory terms) public view {
        vm.assume(_isWellFormed(terms));
        bytes32 initCodeHash = keccak256(LibClone.initCode_PUSH0(factory.implementation()));
        bytes32 salt = keccak256(abi.encode(terms));
        bytes32 expected = keccak256(abi.encodePacked(hex"ff", address(factory), salt, initCodeHash));
        vm.assertEq(factory.forwarderOf(terms), address(uint160(uint256(expected))), "address");
    }

    function test_anyOtherTermHasAnotherAddress() public view {
        address original = factory.forwarderOf(usdcDeposit());
        for (uint256 i = 0; i < 10; ++i) {
            Terms memory changed = usdcDeposit();
            if (i == 0) changed.chainId += 1;
            if (i == 1) changed.token = STRANGER;
            if (i == 2) changed.amount += 1;
            if (i == 3) changed.least -= 1;
            if (i == 4) changed.merchant = STRANGER;
            if (i == 5) changed.platform = STRANGER;
            if (i == 6) changed.feeBps += 1;
            if (i == 7) changed.deadline += 1;
            if (i == 8) changed.operator = STRANGER;
            if (i == 9) changed.salt = bytes32(uint256(2));
            vm.assertTrue(factory.forwarderOf(changed) != original, "another address");
        }
    }

    function test_malformedTermsHaveNoAddressAndNoDoor() public {
        for (uint256 i = 0; i < 7; ++i) {
            Terms memory terms = usdcDeposit();
            if (i == 0) terms.least = 0;
            if (i == 1) terms.least = terms.amount + 1;
            if (i == 2) terms.feeBps = 10_001;
            if (i == 3) terms.token = address(0);
            if (i == 4) terms.merchant = address(0);
            if (i == 5) terms.operator = address(0);
            if (i == 6) terms.platform = address(0);
            bytes memory badTerms = abi.encodeWithSelector(DepositFactory.BadTerms.selector);
            vm.expectRevert(badTerms);
            factory.forwarderOf(terms);
            vm.expectRevert(badTerms);
            factory.settle(terms);
            vm.expectRevert(badTerms);
            factory.payParked(terms);
            vm.prank(terms.operator);
            vm.expectRevert(badTerms);
            factory.refund(terms, address(usdc), PAYER, 1);
        }
    }

    function test_withoutAFeeNoPlatformIsNeeded() public {
        Terms memory terms = usdcDeposit();
        (terms.feeBps, terms.platform) = (0, address(0));
        pay(terms, DUE);
        factory.settle(terms);
        assertUsdc(MERCHANT, DUE, "merchant");
    }

    function test_bitsBeyondAFieldsTypeAreRefused() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        // The word of `feeBps`, the seventh, with a bit above its 16.
        bytes memory call = abi.encodeCall(factory.settle, (terms));
        call[4 + 6 * 32 + 29] = 0x01;
        (bool isOk,) = address(factory).call(call);
        vm.assertTrue(!isOk && forwarder.code.length == 0, "refused");
    }

    function test_theForwardersListenToTheFactoryOnly() public {
        Terms memory terms = usdcDeposit();
        DepositForwarder forwarder = DepositForwarder(payable(pay(terms, DUE + 7)));
        factory.settle(terms);
        address implementation = factory.implementation();
        for (uint256 i = 0; i < 2; ++i) {
            if (i == 1) forwarder = DepositForwarder(payable(implementation));
            _expectNotFactory();
            forwarder.settle(address(usdc), STRANGER, 7, STRANGER, 0);
            _expectNotFactory();
            forwarder.close();
            _expectNotFactory();
            forwarder.payParked(address(usdc), STRANGER);
            _expectNotFactory();
            forwarder.refund(terms, false, address(usdc), STRANGER, 7);
        }
        vm.expectRevert(abi.encodeWithSelector(DepositFactory.NotFactory.selector, OPERATOR));
        vm.prank(OPERATOR);
        factory.settleItem(terms);
    }

    function test_aStrangersCloneOfTheSameCodeIsAtAnotherAddressAndDead() public {
        Terms memory terms = usdcDeposit();
        address forwarder = pay(terms, DUE);
        address implementation = factory.implementation();
        vm.prank(STRANGER);
        address clone = LibClone.cloneDeterministic_PUSH0(implementation, keccak256(abi.encode(terms)));
        vm.assertTrue(clone != forwarder && forwarder.code.length == 0, "elsewhere");
        _expectNotFactory();
        DepositForwarder(payable(clone)).settle(address(usdc), STRANGER, 1, STRANGER, 0);
    }

    function _expectNotFactory() private {
        vm.expectRevert(abi.encodeWithSelector(DepositForwarder.NotFactory.selector, OPERATOR));
        vm.prank(OPERATOR);
    }

    function _isWellFormed(Terms memory terms) private pure returns (bool) {
        bool areAmountsRight = terms.least > 0 && terms.least <= terms.amount && terms.feeBps <= BPS;
        bool areWalletsThere =
            terms.merchant != address(0) && terms.operator != address(0) && terms.platform != address(0);
        return areAmountsRight && areWalletsThere && terms.token != address(0);
    }
}
